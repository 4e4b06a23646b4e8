import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLoci } from "@loci/loci";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { runCommand } from "./run-command.ts";

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/tune-recall.md"), "utf8");
/** What stands in the guide's first block of a language behind its questions. */
function blockOfGuide(language: string): string {
  const [, section = ""] = guide.split("## Questions of your own\n");
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "su").exec(section)?.[1] ?? "";
}

let folder: string;
let questions: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-evaluate-"));
  questions = join(folder, "questions.jsonl");
  writeFileSync(questions, blockOfGuide("jsonl"));
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
  vi.stubEnv("LOCI_INDEX_USE", "memory");
  const loci = await openLoci({ tenant: "local", dataDirectory: join(folder, "data"), index: { kind: "memory" } });
  await loci.memories.rememberMany(
    [
      "We chose PostgreSQL 17 for billing because of its row-level security.",
      "Mara is on call this week.",
      "Jonas stands in for Mara on Fridays.",
      "Deploys happen on Thursdays.",
      "Invoices are rounded to 5 cents, as accounting asked.",
    ].map((text) => ({ text, scope: "project:billing" })),
  );
  await loci.close();
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
afterEach(() => {
  process.exitCode = undefined;
});

function evaluate(file: string, ...words: readonly string[]): ReturnType<typeof runCommand> {
  return runCommand(["evaluate", file, "--scope", "project:billing", ...words]);
}

/** Times differ from run to run, and the columns with them. */
function withoutTimes(printed: string): string {
  return printed.replaceAll(/ +(?:median +p95|[\d.]+ ms +[\d.]+ ms)$/gmu, "");
}

describe("loci evaluate", () => {
  test("prints what the guide shows", async () => {
    const { code, out } = await evaluate(questions, "--profile", "balanced", "archive");
    expect(code).toBe(0);
    expect(withoutTimes(out)).toBe(withoutTimes(blockOfGuide("text")));
  });

  test("says for which questions something was found though nothing answers them", async () => {
    const file = join(folder, "unanswerable.jsonl");
    writeFileSync(file, '{"query":"Who is on call?","expected":[]}\n\n');
    const { out } = await evaluate(file);
    expect(out).toMatch(
      /Something was found where nothing answers:\n {2}Who is on call\?\n {4}0\.\d+ {2}Mara is on call/,
    );
  });

  test("says of what was found what of it is over", async () => {
    const scope = "user:vera";
    const loci = await openLoci({ tenant: "local", dataDirectory: join(folder, "data"), index: { kind: "memory" } });
    const at = Date.UTC(2026, 0, 5);
    const turn = { id: "1", speaker: "Vera", content: "I write everything in Vim, on a small laptop.", at };
    await loci.memories.rememberConversation({ session: "vera-1", scope, turns: [turn] });
    const provenance = { sourceId: "conversation:vera-1", kind: "conversation", position: 0 } as const;
    const [told, instead] = await loci.memories.rememberMany([
      { text: "Vera uses Vim.", scope, origin: "capture", provenance, createdAt: at },
      { text: "Vera types in Zed.", scope, createdAt: at + 1 },
    ]);
    const patch = { validTo: Date.UTC(2026, 4, 4), supersededBy: instead!.id };
    await loci.memories.update(told!.id, patch, { etag: told!.etag });
    await loci.close();
    const file = join(folder, "outdated.jsonl");
    writeFileSync(file, '{"query":"Who writes in Vim on a small laptop?","expected":[]}\n');
    const asked = ["evaluate", file, "--scope", scope, "--limit", "1"];
    const { out } = await runCommand(asked);
    expect(out).toContain(
      "I write everything in Vim, on a small laptop.\n    outdated in part since 2026-05-04 00:00; now: ",
    );
    expect(out).toContain(`now: ${instead!.id}`);
    const { out: json } = await runCommand([...asked, "--json"]);
    expect(JSON.parse(json)).toMatchObject([{ questions: [{ hits: [{ outdated: { replacedBy: [instead!.id] } }] }] }]);
  });

  test("shows nothing of a question or a memory that would steer the terminal", async () => {
    const file = join(folder, "hostile.jsonl");
    writeFileSync(
      file,
      `${JSON.stringify({ query: "Who is\u001b[2J on call?", expected: ["\u001b]52;c;x\u0007"] })}\n`,
    );
    const { out } = await evaluate(file);
    expect(out).toContain("\\u{1b}[2J");
    expect(out).not.toMatch(/[\u001b\u0007]/u);
  });

  test("fails a build below what is asked for, and only then", async () => {
    const { error } = await evaluate(questions, "--at-least", "hit@3=0.9", "nothing-found=100%");
    expect(error).toBe("loci: hit@3 is below 0.9 with the profile balanced.\n");
    expect(process.exitCode).toBe(1);
    process.exitCode = undefined;
    await evaluate(questions, "--at-least", "hit@3=0.5");
    expect(process.exitCode).toBeUndefined();
  });

  test("prints all of it as JSON", async () => {
    const { out } = await evaluate(questions, "--json", "--limit", "2");
    const [evaluation] = JSON.parse(out) as readonly Record<string, unknown>[];
    expect(evaluation).toMatchObject({
      profile: "balanced",
      measures: { "hit@1": 0.5, "recall@2": 0.5, "nothing-found": 1 },
      answerable: 4,
      unanswerable: 1,
    });
    expect(evaluation?.["questions"]).toHaveLength(5);
  });

  test.each([
    ["a measure that is none", ["--at-least", "hit@3"], /must be a measure and a share/],
    ["a share over 1", ["--at-least", "hit@3=85"], /share from 0 to 1/],
    ["one that was not measured", ["--at-least", "hit@7=0.5"], /hit@7 was not measured/],
    ["an unknown profile", ["--profile", "best"], /balanced, archive, assistant/],
  ])("refuses %s", async (_, words, message) => {
    const { code, error } = await evaluate(questions, ...words);
    expect(code).toBe(2);
    expect(error).toMatch(message);
  });

  test.each([
    ["what is not JSON, with its line", '{"query":"a","expected":["b"]}\nsecret\n', /file\.jsonl:2 is not JSON/],
    ["a misspelt field", '{"query":"a","expect":["b"]}\n', /file\.jsonl:1 has the unknown field "expect"/],
    ["an empty file", "\n", /file\.jsonl has no questions/],
  ])("refuses %s", async (_, content, message) => {
    const file = join(folder, "file.jsonl");
    writeFileSync(file, content);
    const { code, error } = await evaluate(file);
    expect(code).toBe(2);
    expect(error).toMatch(message);
    expect(error).not.toContain("secret");
  });
});
