import { setTimeout } from "node:timers/promises";
import type { Ledger } from "@loci/ledger";
import { missingNativePostgres } from "@loci/test-postgres";
import { expect, test } from "vitest";
import { startProgram } from "./child-process.ts";
import { bothKeys, encryptionOf, type KeyId, oneKey, sealAll } from "./encryption-keys.ts";
import { execute, openLedgerDatabase } from "./open-database.ts";
import { batchOf, refNumber, tenant } from "./samples.ts";

const cycles = Number(process.env["LOCI_CRASH_CYCLES"] ?? 8);
/** As they are before anything is encrypted: several steps of the job. */
const plainMemories = 2_000;

test.skipIf(missingNativePostgres() !== undefined)(
  `${cycles} kills while everything comes under another key leave each memory readable, and found by its words`,
  async () => {
    await using database = await openLedgerDatabase("native");
    const plain = await database.open({ listen: false });
    const numbers = Array.from({ length: plainMemories }, (_, index) => index + 1);
    await plain.commit(batchOf(numbers));
    await plain.close();
    const options = { ...database.options, listen: false };
    const acknowledged: number[] = [];
    let sealedOnTheWay = 0;
    for (let cycle = 0; cycle < cycles; cycle++) {
      const current: KeyId = cycle % 2 === 0 ? "first" : "second";
      const program = startProgram("seal-until-killed.ts", options, String((cycle + 1) * 1_000_000), current);
      await program.printed(1);
      await setTimeout(Math.random() * 400);
      await program.kill();
      const said = program.lines.map(Number);
      expect(said.length).toBeGreaterThan(0);
      acknowledged.push(...said);
      const ledger = await database.open({ encryption: bothKeys(current), listen: false });
      await expectFound(ledger, said);
      expect((await ledger.memories(tenant, numbers.map(refNumber))).size).toBe(plainMemories);
      const { byKey } = await encryptionOf(ledger).rows();
      if (byKey.size > 1) sealedOnTheWay++;
      await ledger.close();
    }
    // Or the kills came before or behind all the work.
    expect(sealedOnTheWay).toBeGreaterThan(0);
    const sealing = await database.open({ encryption: bothKeys("second"), listen: false });
    expect(await sealAll(encryptionOf(sealing))).toMatchObject({ damaged: 0 });
    await sealing.close();
    const alone = await database.open({ encryption: oneKey("second"), listen: false });
    await expectFound(alone, acknowledged);
    expect(await encryptionOf(alone).rows()).toMatchObject({ plain: 0 });
    await alone.close();
    const [left] = await execute(
      database.superuser,
      'SELECT count(*)::int AS rows FROM loci.changes WHERE record NOT LIKE \'{"sealed":"second.%\'',
    );
    expect(left?.["rows"]).toBe(0);
  },
  3_600_000,
);

async function expectFound(ledger: Ledger, numbers: readonly number[]): Promise<void> {
  const found = await ledger.memories(tenant, numbers.map(refNumber));
  expect(numbers.filter((number) => found.get(refNumber(number))?.memory.text !== `memory ${number}`)).toEqual([]);
  const scopes = [{ kind: "user", id: "alice" }] as const;
  for (let start = 0; start < numbers.length; start += 100) {
    const slots = numbers.slice(start, start + 100).map((number) => `slot ${number}`);
    expect((await ledger.bySlots(tenant, { scopes, slots, limitOfEach: 2 })).length).toBe(slots.length);
  }
}
