import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCommand } from "./run-command.ts";

/** Takes connections and says nothing, as a server does that is stopped. */
let server: Server;
let address: string;
const sockets: Socket[] = [];
beforeEach(async () => {
  server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

test.each([
  ["remember", "Kept."],
  ["watch", "--once"],
])("%s ends in a few seconds when its server takes connections and says nothing", async (...words) => {
  const start = performance.now();
  const ended = await runCommand([...words, "--connect", address]);
  expect(ended).toMatchObject({ code: 5, out: "" });
  expect(ended.error).toMatch(/No connection to 127\.0\.0\.1:\d+ came about within 5 s[^]*SERVER_UNAVAILABLE/);
  expect(performance.now() - start).toBeLessThan(20_000);
});

test("a call has as long as --timeout says", async () => {
  const ended = await runCommand(["recall", "what?", "--connect", address, "--timeout", "0.3"]);
  expect(ended).toMatchObject({ code: 5, error: expect.stringContaining("DEADLINE_EXCEEDED") as string });
  for (const wrong of ["0", "601", "soon"])
    expect(await runCommand(["recall", "what?", "--timeout", wrong])).toMatchObject({
      code: 2,
      error: expect.stringMatching(/--timeout.*It must be/) as string,
    });
});
