import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LociError } from "@loci/loci";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommandLine } from "../src/command-line.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-cli-layouts-"));
  vi.stubEnv("LOCI_DATA_DIR", join(folder, "data"));
  // What is tested is the same with every index, and this one needs no thread; the others are opened in moving.test.ts.
  vi.stubEnv("LOCI_INDEX_USE", "memory");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function loci(...words: readonly string[]): Promise<{ readonly out: string; readonly error: string }> {
  const seen = { out: "", error: "" };
  vi.spyOn(console, "log").mockImplementation((line: string) => void (seen.out += `${line}\n`));
  vi.spyOn(console, "error").mockImplementation((line: string) => void (seen.error += `${line}\n`));
  try {
    await runCommandLine([...words], { signal: new AbortController().signal });
    return seen;
  } finally {
    vi.restoreAllMocks();
  }
}

test("assembles an agent's folder and its newest memories", async () => {
  const agent = join(folder, "luna");
  mkdirSync(join(agent, "daily"), { recursive: true });
  writeFileSync(join(agent, "IDENTITY.md"), "You are Luna.");
  writeFileSync(join(agent, "daily", "2026-03-14.md"), "Discussed arcs.");
  await loci("remember", "Writes at night.", "--scope", "agent:luna");
  const layers = ["--layout", "layeredFiles", "--files", agent, "--scope", "agent:luna"];
  const { out, error } = await loci(
    "assemble",
    "What next?",
    ...layers,
    "--explain",
    "--evaluation-time",
    "2099-01-01",
  );
  expect(out).toContain("## Identity\nYou are Luna.");
  expect(out).toContain("## Personal Memories\n- [fact] Writes at night.");
  expect(out).not.toContain("Recent Activity\n###");
  expect(error).toContain("Layout layeredFiles");
});

test("explains by the texts of memories what was kept and what was not recalled; --dates says when they were said", async () => {
  const scope = ["--scope", "user:dates"];
  await loci("remember", "The demo is on Friday.", ...scope);
  await loci("remember", "Carrots grow best in sand.", ...scope);
  const { out, error } = await loci("assemble", "When is the demo?", ...scope, "--dates", "--explain");
  expect(out).toMatch(/<knowledge today="[A-Z][a-z]+day, \d{4}-\d{2}-\d{2}">\n<memory source="[^"]+" date="\d{4}-/);
  expect(error).toMatch(/^…\w{8} +knowledge +kept .* The demo is on Friday\.$/m);
  expect(error).toMatch(/^…\w{8} +BELOW_RELEVANCE_FLOOR .* Carrots grow best in sand\.$/m);
});

test("assembles three tiers, and a layout in a file", async () => {
  await loci("remember", "The demo is in March.");
  const tiers = await loci("assemble", "When is the demo?", "--layout", "threeTier", "--core-memory", "You are Luna.");
  expect(tiers.out).toContain("<core-memory>\nYou are Luna.");
  expect(tiers.out).toContain('<archival-memories count="1">\n- [fact] The demo is in March.');
  const file = join(folder, "mine.toml");
  const section = (name: string, source: string, shortening: string): string =>
    `[[sections]]\nname = "${name}"\nsource = "${source}"\nshortening = "${shortening}"\n`;
  writeFileSync(file, `name = "mine"\n${section("rules", "system", "never")}${section("facts", "knowledge", "items")}`);
  const own = await loci("assemble", "When is the demo?", "--layout", file, "--system", "Be brief.");
  expect(own.out).toMatch(/^<rules>\nBe brief\.[^]*<facts>\n<memory /);
  writeFileSync(file, `name = "mine"\n${section("rules", "internet", "never")}`);
  const budgeted = await loci(
    "assemble",
    "x",
    "--json",
    "--system",
    "Be brief.",
    "--budget",
    "system=77",
    "response=12",
  );
  expect(JSON.parse(budgeted.out)).toMatchObject({
    receipt: { sections: [{ name: "system", baseTokens: 77 }, {}, {}, {}, {}], window: { responseTokens: 12 } },
  });
  const misspelt = await loci("assemble", "x", "--budget", "system:77").catch((error: unknown) => error);
  expect(misspelt).toMatchObject({ reason: "INVALID_BUDGET" });
  const refused = await loci("assemble", "x", "--layout", file).catch((error: unknown) => error);
  expect(LociError.is(refused) && refused.message).toContain("mine.toml, line 4: sections[0].source");
});

test("counts tokens and checks budgets", async () => {
  expect((await loci("tokens", "Hello, world!")).out).toBe("4 tokens (o200k_base)\n");
  writeFileSync(join(folder, "text.md"), "Hello, world!");
  expect((await loci("tokens", `@${join(folder, "text.md")}`, "--model", "gpt-4")).out).toBe(
    "4 tokens (cl100k_base)\n",
  );
  expect((await loci("budget", "500", "1500")).out).toBe("Fits: 24% used, 6192 tokens of input left.\n");
  expect((await loci("budget", "500", "8000")).out).toMatch(
    /^Context budget exceeded by .*\nAdvised: TRIM \(EXCEEDED\)/,
  );
});

test("a text of a file is given without its byte order mark, and refused when it is none", async () => {
  await loci("remember", "Loci is there.");
  const file = join(folder, "core.md");
  writeFileSync(file, "\u{feff}# Rules\n");
  const layout = ["--layout", "threeTier", "--core-memory", `@${file}`];
  expect((await loci("assemble", "What now?", ...layout)).out).toContain("<core-memory>\n# Rules\n");
  writeFileSync(file, Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  await expect(loci("assemble", "What now?", ...layout)).rejects.toMatchObject({
    reason: "INVALID_TEXT",
    message: `${file} is not valid UTF-8.`,
  });
});
