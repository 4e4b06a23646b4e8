import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { announceServer, findListeningServer } from "../src/index.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci-listening-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a server counts only while it takes connections, whoever has its process id", async () => {
  expect(await findListeningServer(directory)).toBeUndefined();
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const location = { address, pid: process.pid, tls: false };
  announceServer(directory, location);
  expect(await findListeningServer(directory)).toEqual(location);

  await new Promise((resolve) => server.close(resolve));
  expect(await findListeningServer(directory)).toBeUndefined();
});

test.each(["nonsense", "127.0.0.1:99999", ":5624", "127.0.0.1:0"])("%j is nobody's address", async (address) => {
  announceServer(directory, { address, pid: process.pid, tls: false });
  expect(await findListeningServer(directory)).toBeUndefined();
});
