// What encryption of text at rest costs: the same calls on two stores by turns, one encrypted and one not.
import { parseArgs } from "node:util";
import type { EncryptionKeys, Loci } from "@loci/loci";
import { prose } from "../data/prose.ts";
import { percentile } from "../measure/percentile.ts";
import { databases, directories, type Name } from "./measured-place.ts";

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    memories: { type: "string", default: "10000" },
    /** In two databases of a server that is started for it, instead of two directories. */
    postgres: { type: "boolean", default: false },
    repetitions: { type: "string", default: "400" },
  },
});
const memories = Number(values.memories);
const repetitions = Number(values.repetitions);
const scope = "user:ann";
const keys = { first: new Uint8Array(32).fill(1), second: new Uint8Array(32).fill(2) };
const first: EncryptionKeys = { current: "first", keys };
const second: EncryptionKeys = { current: "second", keys };
await using place = await (values.postgres ? databases() : directories());

type Both = Record<Name, number>;

const textOf = (number: number): string => `${number} ${prose(number % 997, 1).slice(0, 300)}`;

/** Milliseconds of each call by turns; the first ones are left out, while the compiler is still at work. */
async function inTurns(
  loci: Readonly<Record<Name, Loci>>,
  call: (one: Loci, turn: number) => Promise<unknown>,
): Promise<Both> {
  const taken: Record<Name, number[]> = { plain: [], encrypted: [] };
  for (let turn = -50; turn < repetitions; turn++)
    for (const name of turn % 2 === 0 ? (["plain", "encrypted"] as const) : (["encrypted", "plain"] as const)) {
      const start = performance.now();
      await call(loci[name], turn);
      if (turn >= 0) taken[name].push(performance.now() - start);
    }
  return { plain: percentile(taken.plain, 0.5), encrypted: percentile(taken.encrypted, 0.5) };
}

/** Milliseconds of processor time of all threads, and of the server: of what is done once nothing evens out what the machine's neighbours take. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = place.cpu();
  await work();
  return place.cpu() - start;
}

async function build(loci: Loci): Promise<void> {
  for (let start = 0; start < memories; start += 1_000)
    await loci.memories.rememberMany(
      Array.from({ length: Math.min(1_000, memories - start) }, (_, index) => ({
        text: textOf(start + index),
        scope,
        tags: [`tag ${index % 50}`],
        key: String(start + index),
      })),
    );
  await loci.settled();
}

const figures: Record<string, Both> = {};
const loci = { plain: await place.open("plain", undefined), encrypted: await place.open("encrypted", first) };
figures["remember all, in batches of 1,000 (CPU ms)"] = {
  plain: await timed(() => build(loci.plain)),
  encrypted: await timed(() => build(loci.encrypted)),
};
const recall = (one: Loci, turn: number): Promise<unknown> =>
  one.recall({ query: prose(turn + 1_000, 1).slice(0, 60), scopes: [scope], recordUsage: "none" });
figures["recall (ms)"] = await inTurns(loci, recall);
figures["remember one (ms)"] = await inTurns(loci, (one, turn) =>
  one.memories.remember({ text: textOf(memories + 100 + turn), scope }),
);
figures["list 100 (ms)"] = await inTurns(loci, (one) => one.memories.list({ scopes: [scope], pageSize: 100 }));
figures["find a text in all (CPU ms)"] = await timedText(loci);
await loci.plain.close();
await loci.encrypted.close();
const mebibytes = async (name: Name): Promise<number> => (await place.bytes(name)) / 1_048_576;
const stored = values.postgres ? "database with its indexes (MiB)" : "ledger (MiB)";
figures[stored] = { plain: await mebibytes("plain"), encrypted: await mebibytes("encrypted") };
const again: Partial<Record<Name, Loci>> = {};
const opening = async (name: Name, encryption?: EncryptionKeys): Promise<number> =>
  timed(async () => (again[name] = await place.open(name, encryption)));
figures["open (CPU ms)"] = { plain: await opening("plain"), encrypted: await opening("encrypted", first) };
await again.plain?.close();
await again.encrypted?.close();
// From here on the plain one is encrypted for the first time, and the other one gets another key.
figures["open with a new key (CPU ms)"] = {
  plain: await opening("plain", first),
  encrypted: await opening("encrypted", second),
};
const seal = (name: Name): Promise<number> => timed(async () => again[name]?.maintenance.encrypt());
figures["maintenance encrypt (CPU ms)"] = { plain: await seal("plain"), encrypted: await seal("encrypted") };
await again.plain?.close();
await again.encrypted?.close();
if (values.json) console.log(JSON.stringify({ memories, repetitions, figures }));
else {
  console.log(
    `${memories} memories in one scope. Medians of ${repetitions} calls by turns; of what is done once the processor time.`,
  );
  console.table(
    Object.fromEntries(
      Object.entries(figures).map(([name, { plain, encrypted }]) => [
        name,
        { plain: plain.toFixed(2), encrypted: encrypted.toFixed(2), ratio: (encrypted / plain).toFixed(2) },
      ]),
    ),
  );
}

async function timedText(loci: Readonly<Record<Name, Loci>>): Promise<Both> {
  const find = async (one: Loci): Promise<void> => {
    for await (const part of one.memories.ids({ scopes: [scope], text: "audit log since" })) void part;
  };
  const taken: Both = { plain: Infinity, encrypted: Infinity };
  for (let turn = 0; turn < 6; turn++)
    for (const name of ["plain", "encrypted"] as const)
      taken[name] = Math.min(taken[name], await timed(() => find(loci[name])));
  return taken;
}
