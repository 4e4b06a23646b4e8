import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ListeningServer, listenAt } from "../src/gateway/listening-server.ts";

/** More than systems buffer of a connection. */
const answer = Buffer.alloc(32 * 1024 * 1024);
const patience = 300;
const ended = vi.fn<(url: string | undefined) => void>();

let server: ListeningServer;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = await listenAt({ patience }, (request, response) => {
    response.once("close", () => ended(request.url));
    response.writeHead(200);
    if (request.url === "/long") response.end(answer);
    // Somebody who waits for what is told once in a while.
    else response.write("begun");
  });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await server[Symbol.asyncDispose]();
});

function ask(path: string): Socket {
  const socket = connect(server.port, "127.0.0.1");
  sockets.push(socket);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  return socket;
}

test("a reader that takes nothing is cut off, one that waits is not, and one that takes its time gets all", async () => {
  ask("/waiting").resume();
  ask("/long").pause();
  await expect.poll(() => ended.mock.calls, { timeout: 10_000 }).toEqual([["/long"]]);
  let bytes = 0;
  const slow = ask("/long");
  slow.on("data", (part: Buffer) => {
    bytes += part.length;
    slow.pause();
    setTimeout(() => slow.resume(), 2);
  });
  await expect.poll(() => bytes, { timeout: 20_000 }).toBeGreaterThan(answer.length);
  await sleep(2 * patience);
  expect(ended.mock.calls).toEqual([["/long"], ["/long"]]);
});
