import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { missingSources } from "../src/missing-sources.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "loci-missing-sources-"));
});
afterAll(() => rmSync(root, { recursive: true }));

test("of more files than are looked at together those that are gone are named, in order", async () => {
  const names = Array.from({ length: 100 }, (_, index) => `note-${String(index).padStart(3, "0")}.md`);
  const gone = names.filter((_, index) => index % 7 === 3 || index === 99);
  for (const name of names) if (!gone.includes(name)) writeFileSync(join(root, name), "# Note\n");
  const existing = new Map([...names.toReversed(), "talk-1"].map((name) => [name, []]));
  const missing = await missingSources([{ path: root, root }], existing);
  expect(missing.map(({ source }) => source)).toEqual(gone);
  await expect(missingSources([{ path: root, root }], existing, AbortSignal.abort())).rejects.toMatchObject({
    code: "CANCELLED",
  });
});
