import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createPlainServer } from "node:net";
import { join } from "node:path";
import { ServerCredentials } from "@grpc/grpc-js";
import { expect, onTestFinished, test } from "vitest";
import { connectLoci, type ConnectOptions, LociError } from "../src/index.ts";
import { client, connected, errorOf } from "./fixture.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

const count = { tokens: 1, tokenizer: "o200k_base", estimated: false };

function pem(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, "fixtures", name));
}

async function startTlsServer(asksForCertificate = false): Promise<TestServer> {
  const pair = { private_key: pem("server.key"), cert_chain: pem("server.pem") };
  const credentials = ServerCredentials.createSsl(pem("authority.pem"), [pair], asksForCertificate);
  const server = await startTestServer(() => count, { credentials });
  onTestFinished(server.stop);
  return server;
}

function refused(options: ConnectOptions): LociError {
  try {
    void connectLoci(options).close();
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

test("TLS and key in one line", async () => {
  const { address, calls } = await startTlsServer();
  const loci = client({ address, apiKey: "loci_secret", tls: { ca: pem("authority.pem") } });
  expect(await loci.tokens.count({ text: "text" })).toEqual(count);
  expect(calls).toMatchObject([{ authorization: "Bearer loci_secret" }]);
});

test("a server that asks for a certificate", async () => {
  const { address } = await startTlsServer(true);
  const ca = pem("authority.pem").toString();
  const loci = client({ address, tls: { ca, certificate: pem("server.pem"), key: pem("server.key") } });
  expect(await loci.tokens.count({ text: "text" })).toEqual(count);
  const without = client({ address, tls: { ca } });
  await expect(without.tokens.count({ text: "text" })).rejects.toMatchObject({ reason: "SERVER_UNAVAILABLE" });
});

test("a server whose authority is another one is not talked to", async () => {
  const { address, calls } = await startTlsServer();
  const loci = client({ address, apiKey: "loci_secret", tls: { ca: pem("other-authority.pem") } });
  await expect(loci.tokens.count({ text: "text" })).rejects.toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    message: expect.stringContaining("has a certificate of an authority that this client does not know"),
    advice: expect.stringContaining("ca in tls"),
  });
  expect(calls).toEqual([]);
});

test("TLS to a server without it, and plaintext to one with it, say what to check", async () => {
  const tls = await startTlsServer();
  await expect(client({ address: tls.address }).tokens.count({ text: "text" })).rejects.toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    message: expect.stringContaining(tls.address),
  });
  const { loci } = await connected(() => count, { tls: true });
  await expect(loci.tokens.count({ text: "text" })).rejects.toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    message: expect.stringMatching(/does not speak TLS: .*:$/),
    advice: expect.stringContaining("tls: false"),
  });
});

test("a call is not sent again and again where TLS does not come about", async () => {
  let connections = 0;
  const plain = createPlainServer((socket) => {
    connections++;
    socket.on("error", () => undefined).end("no TLS here, and never will be\n");
  });
  await new Promise<void>((resolve) => void plain.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void plain.close());
  const address = `127.0.0.1:${(plain.address() as AddressInfo).port}`;
  await expect(client({ address, tls: true }).tokens.count({ text: "text" })).rejects.toMatchObject({
    message: expect.stringContaining("does not speak TLS"),
  });
  // Two attempts, and what grpc-js begins by itself. Seven attempts would be seven at least.
  expect(connections).toBeLessThan(6);
});

test("an authority that is none is refused before anything is sent", () => {
  for (const ca of ["", pem("server.key"), Buffer.from("no certificate")])
    expect(refused({ address: "localhost:1", tls: { ca } })).toMatchObject({
      reason: "INVALID_CONFIGURATION",
      field: "tls",
      message: "ca in tls holds no certificate in PEM.",
    });
});

test("something else at the address is named as such", async () => {
  const web = createServer((_, response) => void response.end("hello"));
  await new Promise<void>((resolve) => void web.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void web.close());
  const address = `127.0.0.1:${(web.address() as AddressInfo).port}`;
  const loci = client({ address, timeoutMilliseconds: 3_000 });
  const error = await errorOf(loci.tokens.count({ text: "text" }));
  expect(error.message).toContain(address);
});

test("nothing is sent as a key when there is none", async () => {
  const { loci, server } = await connected(() => count);
  await loci.tokens.count({ text: "text" });
  expect(server.calls).toMatchObject([{ authorization: undefined }]);
});

test.each(["localhost:5624", "127.0.0.1:5624", "127.8.8.8:1", "[::1]:5624", "LOCALHOST:65535"])(
  "plaintext to %s stays on the machine",
  async (address) => {
    await expect(connectLoci({ address }).close()).resolves.toBeUndefined();
    await expect(connectLoci({ address, tls: false }).close()).resolves.toBeUndefined();
  },
);

test.each(["memory.example.com:443", "10.0.0.1:5624", "127.evil.example:1", "localhost.example:1", "[::2]:1"])(
  "plaintext to %s must be asked for",
  async (address) => {
    expect(refused({ address, tls: false })).toMatchObject({ reason: "INVALID_CONFIGURATION", field: "tls" });
    await connectLoci({ address }).close();
    await connectLoci({ address, tls: false, insecure: true }).close();
    await connectLoci({ address, insecure: true }).close();
  },
);

test.each([
  "",
  "localhost",
  "localhost:",
  "localhost:0",
  "localhost:65536",
  "http://localhost:1",
  "a b:1",
  "::1:1",
  5624,
])("%j is no address", (address) => {
  expect(refused({ address: address as string })).toMatchObject({
    reason: "INVALID_CONFIGURATION",
    field: "address",
  });
});

test.each(["", "s3cret\n", "s3cretключ", "s3cret word"])(
  "a key that no header can hold is refused, and not shown: %j",
  (apiKey) => {
    const error = refused({ address: "localhost:1", apiKey });
    expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field: "apiKey" });
    expect(JSON.stringify(error)).not.toContain("s3cret");
    expect(error.cause).toBeUndefined();
  },
);

test("certificates and limits that are none are refused", () => {
  const address = "localhost:1";
  expect(refused({ address, tls: { ca: "no certificate", certificate: "x", key: "y" } })).toMatchObject({
    reason: "INVALID_CONFIGURATION",
    field: "tls",
  });
  expect(refused({ address, timeoutMilliseconds: 0 })).toMatchObject({ field: "timeoutMilliseconds" });
  expect(refused({ address, maxMessageBytes: 1.5 })).toMatchObject({ field: "maxMessageBytes" });
});

test("an option that there is not is refused, and the one that was meant is named", () => {
  const address = "localhost:1";
  for (const [options, field, meant] of [
    [{ address, apikey: "s3cret" }, "apikey", "apiKey"],
    [{ address, timeout: 5 }, "timeout", "timeoutMilliseconds"],
    [{ address, tls: { certificat: "x" } }, "certificat", "certificate"],
  ] as const) {
    const error = refused(options as never);
    expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field });
    expect(error.message).toContain(`Did you mean ${meant}?`);
    expect(JSON.stringify(error)).not.toContain("s3cret");
  }
  expect(refused(undefined as never).message).toContain("connectLoci takes an object");
});
