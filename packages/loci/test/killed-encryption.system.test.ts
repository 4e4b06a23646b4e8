import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EncryptionKeys, openEngine, type OpenedEngine, roles, tenantId } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runUntilKilled } from "./run-until-killed.ts";

const scope = "user:alice";
const memories = 6_000;
const keys = { a: Buffer.alloc(32, 1).toString("base64"), b: Buffer.alloc(32, 2).toString("base64") };

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "loci-killed-encryption-"));
});
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

const opened = (encryption?: EncryptionKeys): Promise<OpenedEngine> =>
  openEngine({ dataDirectory, encryption, index: "memory" });
const lociOf = (engine: OpenedEngine): ReturnType<OpenedEngine["for"]> =>
  engine.for({ tenant: tenantId("acme"), subject: "test", roles, scopePatterns: ["*"] });
const textOf = (number: number): string => `Cardamom pod ${number} is in drawer ${number % 97}.`;

test("sealing that is killed again and again loses nothing, is readable between, and comes to its end", async () => {
  {
    await using engine = await opened();
    for (let start = 0; start < memories; start += 1_000)
      await lociOf(engine).memories.rememberMany(
        Array.from({ length: 1_000 }, (_, index) => ({ text: textOf(start + index), scope, key: `${start + index}` })),
      );
  }
  const waiting: number[] = [];
  for (const encryption of [
    { current: "a", keys },
    { current: "b", keys },
  ] satisfies EncryptionKeys[]) {
    for (let killed = 0; killed < 3; killed++) {
      const lines = await runUntilKilled<{ done?: number; counts?: unknown }>(
        "encrypt-until-killed.ts",
        { dataDirectory, encryption },
        { afterLines: 1, withinMilliseconds: 80 },
      );
      expect(lines.length).toBeGreaterThan(0);
      await using engine = await opened(encryption);
      const { counts } = await lociOf(engine).maintenance.encrypt({ dryRun: true });
      waiting.push(counts["waiting"] ?? -1);
      for (const number of [0, 2_999, memories - 1])
        expect((await lociOf(engine).memories.get({ scope, key: String(number) })).text).toBe(textOf(number));
    }
    const whole = await runUntilKilled<{ counts?: { readonly rows: number; readonly damaged: number } }>(
      "encrypt-until-killed.ts",
      { dataDirectory, encryption },
      { afterLines: Infinity, withinMilliseconds: 0 },
    );
    expect(whole.at(-1)?.counts).toMatchObject({ rows: memories, damaged: 0 });
    expect(readFileSync(join(dataDirectory, "ledger.sqlite"), "latin1")).not.toContain("Cardamom");
  }
  // It was killed with some of it done, and not only before the first or after the last row.
  expect(waiting.some((rows) => rows > 0 && rows < memories)).toBe(true);
  await using engine = await opened({ current: "b", keys: { b: keys.b } });
  const { memories: listed } = await lociOf(engine).memories.list({ scopes: [scope], pageSize: 1_000 });
  expect(listed.length).toBe(1_000);
  expect((await lociOf(engine).maintenance.verify()).counts).toMatchObject({ damaged: 0 });
});
