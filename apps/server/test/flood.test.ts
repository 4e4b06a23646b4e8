import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { startTestServer, TestClient, testKey } from "./test-server.ts";

const running = 4;
const queued = 100;
/** What each write of the flood takes, in milliseconds. */
const work = 40;
const calmCalls = 20;

test(`while one key floods the server, another key's calls do not wait behind it`, async () => {
  const calm = testKey({ id: "calm" });
  const flood = testKey({ id: "flood", tenant: "globex" });
  const embedder = gatedEmbedder();
  let floodBegun = 0;
  await using server = await startTestServer({
    openEngine: engineWith({
      ...embedder,
      embed: async (texts, options) => {
        if (texts.some((text) => text.startsWith("flood"))) floodBegun++;
        await setTimeout(work);
        return embedder.embed(texts, options);
      },
    }),
    configuration: { apiKeys: [calm.entry, flood.entry] },
    // Without a rate limit, which would keep the flood out of the queue.
    limits: { maxRunningCalls: running, maxQueuedCalls: queued, callsPerSecond: 0 },
  });
  using calmClient = new TestClient(server.address, calm.key);
  using floodClient = new TestClient(server.address, flood.key);

  // As many at once as the server takes, and a new call for each that has ended or had to make room.
  const end = new AbortController();
  const ended = { written: 0, refused: 0 };
  const floods = Array.from({ length: running + queued }, async (_, lane) => {
    for (let number = 0; !end.signal.aborted; number++)
      await floodClient.remember(`flood ${lane} ${number}`, "global", { signal: end.signal }).then(
        () => ended.written++,
        async () => {
          ended.refused++;
          await setTimeout(work);
        },
      );
  });
  while (ended.written < running) await setTimeout(5);

  // Calls that were let in first, not time: how long a call takes on a busy machine says nothing of its turn.
  const letInFirst: number[] = [];
  for (let number = 0; number < calmCalls; number++) {
    const before = floodBegun;
    await calmClient.remember(`calm ${number}`);
    letInFirst.push(floodBegun - before);
  }
  const { written, refused } = ended;
  end.abort();
  await Promise.all(floods);
  const most = Math.max(...letInFirst);
  console.log(
    `At most ${most} calls of the flood were let in during a call beside ${written} written and ${refused} refused ` +
      `calls of it; behind everybody it would be ${queued}`,
  );
  expect((await calmClient.texts()).length).toBe(calmCalls);
  expect(refused).toBeGreaterThan(0);
  expect(most).toBeLessThan(queued / 2);
});
