import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { expect, test, vi } from "vitest";
import { sendAnswer } from "../src/http/web-exchange.ts";

test("a reader that takes nothing is cut off, and what was to be told ends there", async () => {
  const ended = vi.fn<() => void>();
  let told = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      told++;
      controller.enqueue(new Uint8Array(64 * 1024));
    },
    cancel: ended,
  });
  const sent = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    sendAnswer(new Response(endless), response, 200).then(sent.resolve, sent.reject);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nhost: localhost\r\n\r\n");
  socket.pause();
  await sent.promise;
  expect(ended).toHaveBeenCalledTimes(1);
  // What the system buffers of a connection, and no more.
  expect(told * 64).toBeLessThan(64 * 1024);
  socket.destroy();
  server.close();
});
