import { afterAll, beforeAll, expect, test } from "vitest";
import { TestClient, startTestServer, type TestServer } from "./test-server.ts";

let server: TestServer;
let client: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  client = new TestClient(server.address);
});
afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

test("a memory that was created can be read", async () => {
  const memory = await client.remember("Tea, not coffee.");
  expect(await client.get(memory.id)).toEqual(memory);
});
