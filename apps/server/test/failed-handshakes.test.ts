import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Server } from "@grpc/grpc-js";
import { listen, type Listener } from "../src/listener.ts";
import { Logger } from "../src/logging/logger.ts";
import { ServedCertificates } from "../src/security/served-certificates.ts";
import { FailedHandshakes } from "../src/security/failed-handshakes.ts";
import { listenForCallers } from "../src/workers/front-listener.ts";
import { ca, clientFile, tls } from "./certificate-files.ts";
import { testConfiguration, until } from "./test-server.ts";

type Line = Readonly<Record<string, unknown>>;

let lines: Line[];
let logger: Logger;
let certificates: ServedCertificates;
let listener: Listener;

const at = { address: "127.0.0.1", port: 0 };
/** In milliseconds. A handshake that succeeds takes hundreds on a machine that does other things as well. */
const patience = 1_500;

async function listenAlone(): Promise<Listener> {
  const server = new Server();
  const listening = { at, certificates, logger, patience, maxConnections: 9, onRefused: () => undefined };
  const made = await listen(server, listening);
  return {
    ...made,
    close: () => {
      made.close();
      server.forceShutdown();
    },
  };
}

function listenInFront(): Promise<Listener> {
  const nothing = (): void => undefined;
  const silent = { onRefused: nothing, onConnection: nothing, onUnreachable: nothing, onCall: nothing };
  return listenForCallers({
    configuration: { ...testConfiguration(), listen: at },
    certificates,
    logger,
    patience,
    ...silent,
  });
}

beforeEach(() => {
  lines = [];
  logger = new Logger("info", (line) => lines.push(JSON.parse(line) as Line));
  certificates = new ServedCertificates({ files: tls, logger, clock: Date.now });
});
afterEach(() => {
  vi.useRealTimers();
  certificates.close();
});

/** Connects, has its say, and waits until the server has closed the connection. */
async function say(words: string | Buffer, end = false): Promise<string> {
  const socket = connect(listener.port, "127.0.0.1");
  await once(socket, "connect");
  const from = `127.0.0.1:${socket.localPort}`;
  if (end) socket.end(words);
  else socket.write(words);
  await closed(socket);
  return from;
}

/** However it ends. */
function closed(socket: Socket): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  socket
    .on("error", () => undefined)
    .once("close", () => resolve())
    .resume();
  return promise;
}

async function shake(given: ConnectionOptions): Promise<void> {
  const { port } = listener;
  const options: ConnectionOptions = {
    port,
    host: "127.0.0.1",
    servername: "localhost",
    ALPNProtocols: ["h2"],
    ...given,
  };
  const socket = connectTls(options);
  await closed(socket);
}

describe.each([
  ["a server", listenAlone],
  ["a server with workers", listenInFront],
])("of %s", (_whose, start) => {
  beforeEach(async () => void (listener = await start()));
  afterEach(() => listener.close());

  test("a caller without TLS is told of, with where it came from", async () => {
    const from = await say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    await until(() => lines.length > 0);
    expect(lines).toEqual([
      expect.objectContaining({
        level: "info",
        event: "handshake failed",
        reason: "ERR_SSL_WRONG_VERSION_NUMBER",
        from,
      }),
    ]);
  });

  test.each([
    ["who does not trust the server", {}, "ECONNRESET"],
    ["who shows no certificate", { ca }, "ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE"],
    [
      "whose certificate is over",
      { ca, cert: readFileSync(clientFile("expired.crt")), key: readFileSync(clientFile("expired.key")) },
      "CERT_HAS_EXPIRED",
    ],
    ["who speaks another protocol", { ca, ALPNProtocols: ["http/1.1"] }, "ERR_SSL_NO_APPLICATION_PROTOCOL"],
  ] as const)("a caller %s is told of", async (_who, options, reason) => {
    await shake({ ...options, ALPNProtocols: "ALPNProtocols" in options ? [...options.ALPNProtocols] : ["h2"] });
    await until(() => lines.length > 0);
    expect(lines).toEqual([expect.objectContaining({ event: "handshake failed", reason })]);
    expect(lines[0]!["from"]).toMatch(/^127\.0\.0\.1:\d+$/);
  });

  test("a caller that says nothing, or half of it, loses its place", async () => {
    const silent = connect(listener.port, "127.0.0.1");
    await once(silent, "connect");
    await Promise.all([closed(silent), say(Buffer.from("16030102000100", "hex"))]);
    await until(() => lines.length === 2);
    expect(lines.map(({ reason }) => reason)).toEqual(["ERR_TLS_HANDSHAKE_TIMEOUT", "ERR_TLS_HANDSHAKE_TIMEOUT"]);
    await until(() => listener.connections() === 0);
  });

  test("who only looks whether the port is open leaves no line", async () => {
    await say("", true);
    const from = await say("no TLS");
    await until(() => lines.length > 0);
    expect(lines).toEqual([expect.objectContaining({ from })]);
  });

  test("who is let in leaves no line, and can call", async () => {
    const [cert, key] = ["agents.crt", "agents.key"].map((name) => readFileSync(clientFile(name)));
    const place = { port: listener.port, host: at.address };
    const socket = connectTls({ ...place, servername: "localhost", ca, cert, key, ALPNProtocols: ["h2"] });
    await once(socket, "secureConnect");
    expect(socket.alpnProtocol).toBe("h2");
    // Its settings are what a server of HTTP/2 says first.
    const [first] = (await once(socket, "data")) as [Buffer];
    expect(first[3]).toBe(4);
    const gone = closed(socket);
    socket.destroy();
    await gone;
    await until(() => listener.connections() === 0);
    expect(lines).toEqual([]);
  });
});

test("a flood of them has a hundred lines in ten seconds, and a count", async () => {
  vi.useFakeTimers();
  const handshakes = new FailedHandshakes(logger);
  for (let one = 0; one < 20_000; one++)
    handshakes.failed({ code: "ERR_SSL_HTTP_REQUEST" }, { bytesRead: 1 } as Parameters<typeof handshakes.failed>[1]);
  expect(lines).toHaveLength(100);
  vi.advanceTimersByTime(10_000);
  expect(lines.slice(100)).toEqual([
    expect.objectContaining({
      level: "warn",
      event: "handshakes failed",
      handshakes: 19_900,
      reasons: ["ERR_SSL_HTTP_REQUEST 19900"],
    }),
  ]);
});
