// What appending to a session and reading its end take, at lengths from a hundred turns to ten thousand.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { LocalLoci, SessionKeyInput, TurnInput } from "@loci/loci";
import { openLoci } from "@loci/loci";
import { prose } from "../data/prose.ts";
import { appendAtOnce, keepWarm } from "./many-sessions.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    lengths: { type: "string", default: "100,1000,10000" },
    repetitions: { type: "string", default: "200" },
    callers: { type: "string", default: "64" },
    sessions: { type: "string", default: "10000" },
  },
});
const lengths = values.lengths.split(",").map(Number);
const repetitions = Number(values.repetitions);
const folder = await mkdtemp(join(tmpdir(), "loci-benchmark-"));

/** Milliseconds, the median of the repetitions. */
interface Row {
  readonly turns: number;
  readonly append: number;
  readonly replay: number;
  readonly newest20: number;
  readonly middle20: number;
  readonly getSession: number;
  /** What the user says is appended, and the context comes with it, in a process that has seen the session before. */
  readonly turn: number;
  /** The same by processor time. */
  readonly turnProcessor: number;
  /** The first context of a session that has never had one: once, not a median. */
  readonly firstContext: number;
  /** The first one of a process, when an earlier process has given contexts: once. */
  readonly coldContext: number;
}

try {
  const rows: Row[] = [];
  for (const length of lengths) {
    const key = { scope: "user:ann", id: `of-${length}` } as const;
    const row = await measure(key, length);
    rows.push({ ...row, coldContext: await coldContext(key) });
  }
  await using loci = await open();
  const first = rows[0] as Row;
  const last = rows.at(-1) as Row;
  const ratio = Object.fromEntries(
    Object.entries(last).map(([name, value]) => [name, round(value / first[name as keyof Row])]),
  );
  // On a ledger that syncs each commit, as it is by default.
  const together = await appendAtOnce(loci, Number(values.callers), 200);
  const warm = await keepWarm(loci, Number(values.sessions));
  if (values.json) console.log(JSON.stringify({ repetitions, rows, ratio, together, warm }));
  else {
    console.log(`Milliseconds, the median of ${repetitions}. Last against first at the end.`);
    console.table([...rows, ratio]);
    console.log(
      `${together.callers} callers append ${together.appendsPerSecond} turns a second to ${together.sessions} sessions; ${together.lost} are lost.`,
    );
    console.log(`${warm.sessions} warm sessions hold ${warm.heapMebibytes} MiB.`);
  }
} finally {
  await rm(folder, { recursive: true });
}

function open(): Promise<LocalLoci> {
  return openLoci({ tenant: "benchmark", dataDirectory: join(folder, "data"), index: "memory" });
}

/** In a process that has not seen the session, but knows its tokenizer. */
async function coldContext(key: SessionKeyInput): Promise<number> {
  await using loci = await open();
  await loci.assemble({ messages: [{ role: "user", content: prose(1, 3) }] });
  const start = performance.now();
  await loci.assemble({ session: key, query: "What now?" });
  return round(performance.now() - start);
}

async function measure(key: SessionKeyInput, length: number): Promise<Omit<Row, "coldContext">> {
  await using loci = await open();
  const { sessions } = loci;
  await sessions.create(key);
  for (let last = 0; last < length;) {
    // One or two turns at a time, as agents append them.
    const turns = Array.from({ length: Math.min(1 + (last % 2), length - last) }, (_, index) => turn(last + index));
    ({ lastTurn: last } = await sessions.append(key, { expectedLast: last, turns }));
  }
  let last = length;
  const append = await median(async () => {
    ({ lastTurn: last } = await sessions.append(key, { expectedLast: last, turns: [turn(last)] }));
  });
  // Tokenizer and compiler are warm when the first length is measured.
  await loci.assemble({ messages: [{ role: "user", content: prose(1, 3) }] });
  const start = performance.now();
  await loci.assemble({ session: key, query: "What now?" });
  const firstContext = round(performance.now() - start);
  const processor: number[] = [];
  const wholeTurn = await median(async () => {
    const before = process.cpuUsage();
    const request = { expectedLast: last, turns: [{ ...turn(last), role: "user" as const }] };
    ({
      appended: { lastTurn: last },
    } = await sessions.appendAndAssemble(key, request));
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1_000);
  });
  await loci.settled();
  const again = { expectedLast: last - 1, turns: [{ ...turn(last - 1), role: "user" as const }] };
  const middle = { first: Math.floor(length / 2), last: Math.floor(length / 2) + 19 };
  return {
    turns: length,
    append,
    replay: await median(() => sessions.append(key, again)),
    newest20: await median(() => sessions.turns(key, { order: "newestFirst", pageSize: 20 })),
    middle20: await median(() => sessions.turns(key, middle)),
    getSession: await median(() => sessions.get(key)),
    turn: wholeTurn,
    turnProcessor: middleOf(processor),
    firstContext,
  };
}

function turn(number: number): TurnInput {
  return { role: number % 2 === 0 ? "user" : "assistant", content: prose(number, 3), at: 1_700_000_000_000 + number };
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return middleOf(times);
}

function middleOf(values: readonly number[]): number {
  return round(values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] as number);
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
