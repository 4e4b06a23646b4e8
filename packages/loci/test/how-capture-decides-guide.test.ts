// What the tables of `docs/guides/how-capture-decides.md` say, captured.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CaptureOutcome, type LocalLoci, openLoci } from "@loci/loci";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/how-capture-decides.md"), "utf8");
const said = Date.parse("2026-03-25T10:00:00Z");

/** The rows of the table in a section of the guide, without its head. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const [, section = ""] = new RegExp(`\n## ${heading}\n([^]*?)\n## `).exec(guide) ?? [];
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

let directory: string;
let loci: LocalLoci;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "loci-capture-guide-"));
  loci = await openLoci({ tenant: "acme", dataDirectory: directory });
});
afterAll(async () => {
  await loci.close();
  rmSync(directory, { recursive: true });
});

/** What a capture makes of one message of a user of whom a memory may be known. */
async function captured(user: string, content: string, known?: string): Promise<CaptureOutcome> {
  const scope = `user:${user}` as const;
  if (known !== undefined) await loci.memories.remember({ text: known, scope, createdAt: said - 86_400_000 });
  const turns = [{ role: "user", content, at: said }] as const;
  const { captures } = await loci.sessions.appendAndCapture({ scope }, { turns });
  const [outcome] = captures.flatMap((capture) => capture.outcome ?? []);
  if (outcome === undefined) throw new Error(`Nothing was captured of ${content}`);
  return outcome;
}

describe("what is kept", () => {
  test.each(rowsOf("What is kept"))("%s", async (content = "", category = "", text = "") => {
    const { candidates } = await captured(content, content);
    expect(candidates).toMatchObject([{ decision: "ADD", category, text }]);
  });
});

describe("what is not kept", () => {
  test.each(rowsOf("What is not kept"))("%s", async (content = "", reason = "") => {
    const { candidates, unread } = await captured(content, content);
    expect(candidates.every(({ state }) => state === "rejected")).toBe(true);
    expect([...candidates, ...(unread ?? [])].map((one) => one.reason)).toContain(reason);
  });
});

describe("what ends", () => {
  test.each(rowsOf("When something known ends"))("%s %s", async (known = "", content = "", result = "") => {
    const { candidates } = await captured(`${known}${content}`, content, known);
    const ended = candidates.filter(({ decision }) => decision === "UPDATE" || decision === "DELETE");
    const told = ended.map(({ decision, text }) => (decision === "UPDATE" ? `${decision}: ${text}` : decision));
    expect(told).toEqual(result === "stays" ? [] : [result]);
    const [old] = (await loci.memories.list({ scopes: [`user:${known}${content}`] })).memories.filter(
      ({ text }) => text === known,
    );
    expect(old?.validTo === undefined).toBe(result === "stays");
  });
});

test("the tables have rows", () => {
  const headings = ["What is kept", "What is not kept", "When something known ends"];
  expect(headings.map((heading) => rowsOf(heading).length)).toEqual([7, 8, 5]);
});
