import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { engineWith, gatedEmbedder } from "./gated-embedder.ts";
import { startTestServer, TestClient, testKey } from "./test-server.ts";

const running = 4;
const queued = 100;
/** What each write of the flood takes, in milliseconds. */
const work = 40;
/** What a call would wait that comes behind everybody who is there, in milliseconds. */
const behindEverybody = (queued / running) * work;
const calmCalls = 20;

/** A fraction of the values is no larger than this. */
function percentile(values: readonly number[], fraction: number): number {
  return values.toSorted((left, right) => left - right)[Math.ceil(values.length * fraction) - 1] ?? 0;
}

test(`while one key floods the server, another key's calls do not wait behind it`, async () => {
  const calm = testKey({ id: "calm" });
  const flood = testKey({ id: "flood", tenant: "globex" });
  const embedder = gatedEmbedder();
  await using server = await startTestServer({
    openEngine: engineWith({
      ...embedder,
      embed: async (texts, options) => {
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

  const times: number[] = [];
  for (let number = 0; number < calmCalls; number++) {
    const start = performance.now();
    await calmClient.remember(`calm ${number}`);
    times.push(performance.now() - start);
  }
  const { written, refused } = ended;
  end.abort();
  await Promise.all(floods);
  const p99 = percentile(times, 0.99);
  console.log(
    `p50 ${percentile(times, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms beside ${written} written and ` +
      `${refused} refused calls of a flood that would take ${behindEverybody} ms to get through`,
  );
  expect((await calmClient.texts()).length).toBe(calmCalls);
  expect(refused).toBeGreaterThan(0);
  expect(p99).toBeLessThan(behindEverybody / 2);
});
