import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { type Loci, openEngine, tenantId } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostileTexts } from "./hostile-calls.ts";
import { manyTexts } from "./many-texts.ts";

const most = 60;
/** Of the longest turn of the same call with one text. All texts in one turn take some sixty. */
const times = 10;
/** A shorter turn says nothing: the compiler and the collector of garbage have some of it. In milliseconds. */
const noise = 8;

/** What is slowest to read, when attacks are tried at length. */
const kinds = process.env["LOCI_ATTACK"] === "1" ? ["combining marks", "ideographs", "sentences"] : ["sentences"];

let loci: Loci;
let close: () => Promise<void>;

beforeAll(async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "loci-many-"));
  const engine = await openEngine({ dataDirectory });
  loci = engine.for({ tenant: tenantId("t"), subject: "s", roles: ["read", "write"], scopePatterns: ["*"] });
  close = async () => {
    await engine.close();
    rmSync(dataDirectory, { recursive: true });
  };
});

afterAll(() => close());

describe("a call with many long texts holds the thread for about as long as one with a single text", () => {
  const texts = hostileTexts(60_000);
  for (const kind of kinds)
    for (const [name, call] of Object.entries(manyTexts))
      test(`${name}: ${kind}`, async () => {
        const text = texts[kind] as string;
        // What is compiled, loaded and remembered first is no measure of either.
        for (const count of [1, 6]) await call(loci, text, count).catch(() => undefined);
        let one = noise;
        for (let round = 0; round < 3; round++) one = Math.max(one, await longestTurn(() => call(loci, text, 1)));
        expect(await longestTurn(() => call(loci, text, most))).toBeLessThan(times * one);
        await loci.settled();
      });
});

/** Milliseconds of processor time of this thread, so that what else the machine does is not counted. */
async function longestTurn(call: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = threadTime();
  const over = new AbortController();
  const look = (): void => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const watching = (async () => {
    while (!over.signal.aborted) {
      await setImmediate();
      look();
    }
  })();
  // A refusal is an answer.
  await call().catch(() => undefined);
  look();
  over.abort();
  await watching;
  return longest;
}

function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
