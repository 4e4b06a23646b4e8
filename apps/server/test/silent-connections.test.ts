import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { setTimeout as sleep } from "node:timers/promises";
import { Server } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { listen, type Listener } from "../src/listener.ts";
import { Logger } from "../src/logging/logger.ts";
import { ServedCertificates } from "../src/security/served-certificates.ts";
import { listenForCallers } from "../src/workers/front-listener.ts";
import { ca, tls } from "./certificate-files.ts";
import { testConfiguration, until } from "./test-server.ts";

const patience = 200;
const at = { address: "127.0.0.1", port: 0 };
const logger = new Logger("error");
const firstWords = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Buffer.from("000000040000000000", "hex"),
]);

function certificates(): ServedCertificates {
  const { certificateFile, privateKeyFile } = tls;
  const served = new ServedCertificates({ files: { certificateFile, privateKeyFile }, logger, clock: Date.now });
  onTestFinished(() => served.close());
  return served;
}

async function listenAlone(served?: ServedCertificates): Promise<Listener> {
  const server = new Server();
  const silent = { onRefused: () => undefined };
  const listener = await listen(server, { at, certificates: served, logger, maxConnections: 9, patience, ...silent });
  onTestFinished(() => {
    listener.close();
    server.forceShutdown();
  });
  return listener;
}

async function listenInFront(): Promise<Listener> {
  const silent = {
    onRefused: () => undefined,
    onConnection: () => undefined,
    onUnreachable: () => undefined,
    onCall: () => undefined,
  };
  const configuration = testConfiguration({ listen: at });
  const listener = await listenForCallers({ ...silent, configuration, certificates: undefined, logger, patience });
  onTestFinished(() => listener.close());
  return listener;
}

const servers = [
  ["a server", false, () => listenAlone()],
  ["a server with TLS", true, () => listenAlone(certificates())],
  ["a server with workers", false, listenInFront],
] as const;

test.each(servers)("%s closes a connection that says nothing", async (_whose, _isSecure, start) => {
  const listener = await start();
  const socket = connect(listener.port, at.address);
  await once(socket, "connect");
  await until(() => listener.connections() === 1);
  await once(socket.resume(), "close");
  await until(() => listener.connections() === 0);
  expect(socket.bytesWritten).toBe(0);
});

test.each(servers)("%s keeps one that has said its first words", async (_whose, isSecure, start) => {
  const { port, connections } = await start();
  const place = { port, host: at.address };
  const socket = isSecure
    ? connectTls({ ...place, servername: "localhost", ca, ALPNProtocols: ["h2"] })
    : connect(place);
  onTestFinished(() => void socket.destroy());
  await once(socket, isSecure ? "secureConnect" : "connect");
  socket.resume().write(firstWords);
  await sleep(3 * patience);
  expect(socket.destroyed).toBe(false);
  expect(connections()).toBe(1);
});
