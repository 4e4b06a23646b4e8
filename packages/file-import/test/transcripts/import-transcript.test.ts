import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AppendTurnsRequest, type Loci, LociError, type TurnInput } from "@loci/domain";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importTranscript, type TranscriptReport } from "../../src/index.ts";

let folder: string;
let file: string;
let kept: Map<string, { turns: TurnInput[]; state: "open" | "closed" }>;
let appended: number[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-transcript-"));
  file = join(folder, "talk.jsonl");
  kept = new Map();
  appended = [];
});
afterEach(() => rm(folder, { recursive: true }));

/** As much of sessions as an import needs. */
const loci = {
  sessions: {
    create: async ({ id }: { id: string }) => {
      if (kept.has(id)) throw new LociError("SESSION_EXISTS", { message: "It is there." });
      kept.set(id, { turns: [], state: "open" });
      return { id, lastTurn: 0 };
    },
    get: async ({ id }: { id: string }) => ({ id, lastTurn: kept.get(id)?.turns.length ?? 0 }),
    close: async ({ id }: { id: string }) => {
      const session = kept.get(id);
      if (session !== undefined) session.state = "closed";
    },
    append: async ({ id }: { id: string }, { expectedLast, turns }: AppendTurnsRequest) => {
      const session = kept.get(id);
      if (session === undefined) throw new LociError("SESSION_NOT_FOUND", { message: "It is not there." });
      const place = { firstTurn: expectedLast + 1, lastTurn: expectedLast + turns.length };
      const there = session.turns.slice(expectedLast, place.lastTurn);
      if (JSON.stringify(there) === JSON.stringify(turns)) return { ...place, replayed: true };
      if (expectedLast !== session.turns.length) throw new LociError("TURN_CONFLICT", { message: "Others are there." });
      session.turns.push(...turns);
      appended.push(turns.length);
      return { ...place, replayed: false };
    },
  },
} as unknown as Loci;

async function imported(count: number, content = "Turn"): Promise<TranscriptReport> {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ role: index % 2 === 0 ? "user" : "assistant", content: `${content} ${index}` }),
  );
  await writeFile(file, lines.join("\n"));
  return importTranscript(loci, { file, scope: "global", close: false });
}

test("a long conversation is appended in calls that a session takes, and a grown one goes on", async () => {
  expect((await imported(250)).sessions).toEqual([{ id: "talk", outcome: "new", turns: 250, appended: 250 }]);
  expect(appended).toEqual([100, 100, 50]);
  expect((await imported(250)).sessions).toMatchObject([{ outcome: "unchanged", appended: 0 }]);
  expect((await imported(260)).sessions).toMatchObject([{ outcome: "continued", appended: 10 }]);
  expect(kept.get("talk")?.turns.map(({ content }) => content)).toEqual(
    Array.from({ length: 260 }, (_, index) => `Turn ${index}`),
  );
  // A beginning of it is no other conversation.
  expect((await imported(40)).sessions).toMatchObject([{ outcome: "unchanged" }]);
});

test("a session with other turns is left as it is", async () => {
  await imported(5);
  expect((await imported(7, "Other")).sessions).toMatchObject([{ outcome: "differs", appended: 0 }]);
  expect(kept.get("talk")?.turns).toHaveLength(5);
});

test("large turns go in calls of their own", async () => {
  await imported(8, "x".repeat(250_000));
  expect(appended).toEqual([4, 4]);
});
