import { setTimeout } from "node:timers/promises";
import type { Sequence, TenantId } from "@loci/domain";
import type { IndexChange } from "../index-change.ts";
import type { Projection } from "../projection.ts";
import { sampleDelete, sampleRow, tenant, unitVector } from "./sample-rows.ts";

/** Whose log it is. */
export const crashTenant: TenantId = tenant;

const rowsPerBatch = 7;
/** Of every so many changes the last quarter erases what the others wrote, one after the other. */
const period = 240;

/**
 * The change that stands at a place of a log without end. Every fifth deletes an older row, some replace one, and now and
 * then a scope is erased: everything that was written since the last time, in order.
 */
export function crashChangeAt(sequence: Sequence): IndexChange {
  const place = sequence % period;
  const erased = (3 * period) / 4;
  if (place >= erased) return sampleDelete(sequence - erased + 1, sequence);
  const number = sequence % 3 === 0 ? Math.floor(sequence / 3) + 1 : sequence;
  if (sequence % 5 === 0) return sampleDelete(number, sequence);
  return sampleRow(number, {
    version: sequence,
    scope: { kind: "user", id: `u${sequence % 4}` },
    fields: { category: sequence % 2 === 0 ? "fact" : "note" },
    vectors: [unitVector([1, sequence % 7])],
    terms: new Map([
      ["all", 1],
      [`word${sequence % 10}`, 1 + (sequence % 3)],
    ]),
  });
}

/**
 * For a program that is killed: applies the log from where each index stands, maintains and purges beside that without a
 * pause worth the name, and says on standard output how far each has come.
 */
export async function applyUntilKilled(projections: Readonly<Record<string, Projection>>): Promise<never> {
  const applying = Object.entries(projections).map(async ([name, projection]) => {
    for (let through = await projection.checkpoint(crashTenant); ;) {
      const first = through + 1;
      const changes = Array.from({ length: rowsPerBatch }, (_, index) => crashChangeAt(first + index));
      await projection.apply(crashTenant, changes, (through += rowsPerBatch));
      process.stdout.write(`${name} ${through}\n`);
    }
  });
  const maintaining = Object.values(projections).map(async (projection) => {
    for (let round = 0; ; round++) {
      await setTimeout((round * 37) % 150);
      await projection.maintain({ purge: round % 2 === 1 });
    }
  });
  await Promise.all([...applying, ...maintaining]);
  throw new Error("The log has no end.");
}
