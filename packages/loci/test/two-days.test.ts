// What `npm run demo:two-days` prints: memories that form by themselves, and a block that a person decides about.
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = join(import.meta.dirname, "../../../tools/demo/two-days.ts");

test("the second day answers from the first, and what is replaced comes back when it is undone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "loci-two-days-"));
  const options = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning", program];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, "--data", join(folder, "data")]);
  await rm(folder, { recursive: true });
  const parts = new Map(
    stdout
      .split(/^━━ /m)
      .slice(1)
      .map((part) => [part.slice(0, part.indexOf(" ━")), part.slice(part.indexOf("\n") + 1)]),
  );
  const part = (title: string): string => parts.get(title) ?? "";
  const first = part("Day 1: what became of what was said");
  for (const kept of [
    /ADD +\[fact\] .*lives in Utrecht/,
    /ADD +\[preference\]/,
    /ADD +\[decision\]/,
    /ADD +\[procedure\]/,
  ])
    expect(first).toMatch(kept);
  for (const refused of [/^QUESTION/m, /^TRANSIENT/m, /^SECRET/m]) expect(first).toMatch(refused);
  expect(stdout).not.toMatch(/sk-proj|premium plan/);
  expect(part("In the turns the key is gone")).toContain("[redacted: api_key]");
  expect(part("Day 2: the context of the first question")).toMatch(/<knowledge>[^]*lives in Utrecht[^]*<\/knowledge>/);
  expect(part("What is replaced")).toMatch(/UPDATE .*moved to Groningen/);
  expect(part("Approved, the next context differs by").trim()).toBe("[FACTS] lives in Groningen");
  expect(part("Undone, the old fact holds again")).toContain("1 opened again, 1 forgotten");
  expect(part("What is remembered")).toMatch(/lives in Utrecht$/m);
  expect(part("What is remembered")).toMatch(/works as a nurse\.$/m);
});
