import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Loci, SessionKeyInput, TurnInput } from "@loci/loci";
import { prose } from "../data/prose.ts";

/** Appends of many callers at once. */
export interface CallersFigures {
  readonly callers: number;
  readonly sessions: number;
  readonly appendsPerSecond: number;
  /** Turns that were acknowledged and are not there, or there twice. */
  readonly lost: number;
}

/** Sessions whose contexts are kept warm. */
export interface WarmFigures {
  readonly sessions: number;
  /** What the process holds more than before the first context, in MiB, after collecting what is not held. */
  readonly heapMebibytes: number;
}

const appendsOfEach = 10;

/** So many callers, each with sessions of its own, append a turn at a time. */
export async function appendAtOnce(loci: Loci, callers: number, sessions: number): Promise<CallersFigures> {
  const keys = Array.from({ length: sessions }, (_, index) => keyOf("many", index));
  for (const key of keys) await loci.sessions.create(key);
  const waiting = Array.from({ length: appendsOfEach }, () => keys).flat();
  const known = new Map(keys.map((key) => [key, 0]));
  const start = performance.now();
  // A session is one caller's: whoever takes its next turn waits for the one before.
  const byCaller = Array.from({ length: callers }, (_, caller) =>
    waiting.filter((_key, place) => (place % sessions) % callers === caller),
  );
  await Promise.all(
    byCaller.map(async (own) => {
      for (const key of own) {
        const turns = [turnOf(known.get(key) ?? 0)];
        const { lastTurn } = await loci.sessions.append(key, { expectedLast: known.get(key) ?? 0, turns });
        known.set(key, lastTurn);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1_000;
  let lost = 0;
  for (const key of keys) {
    const { turns } = await loci.sessions.turns(key, { pageSize: 1_000 });
    const said = turns.map(({ content }) => content);
    for (let number = 0; number < appendsOfEach; number++) if (said[number] !== turnOf(number).content) lost++;
    lost += Math.abs(said.length - appendsOfEach);
  }
  return { callers, sessions, appendsPerSecond: Math.round(waiting.length / seconds), lost };
}

/** A context of each of so many sessions, each of twenty turns. */
export async function keepWarm(loci: Loci, sessions: number): Promise<WarmFigures> {
  const turns = Array.from({ length: 20 }, (_, number) => turnOf(number));
  for (let index = 0; index < sessions; index++) {
    const key = keyOf("warm", index);
    await loci.sessions.create(key);
    await loci.sessions.append(key, { expectedLast: 0, turns: turns.map((turn) => ({ ...turn, name: `u${index}` })) });
  }
  const before = heldBytes();
  for (let index = 0; index < sessions; index++)
    await loci.assemble({ session: keyOf("warm", index), query: "What now?", recordUsage: "none" });
  return { sessions, heapMebibytes: Math.round((heldBytes() - before) / 1_048_576) };
}

function keyOf(name: string, index: number): SessionKeyInput {
  return { scope: `user:${name}-${index}`, id: "s" };
}

function turnOf(number: number): TurnInput {
  return { role: number % 2 === 0 ? "user" : "assistant", content: prose(number, 3), at: 1_700_000_000_000 + number };
}

function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
