// Every line with `loci` in the shell blocks of the documents is one that the command takes: its words, options and their values.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { expect, test, vi } from "vitest";
import { commandLine } from "../src/command-line.ts";

const root = join(import.meta.dirname, "../../..");
const documents = globSync(
  ["README.md", "CONTRIBUTING.md", "docs/*.md", "docs/guides/*.md", "{packages,apps}/*/README.md"],
  {
    cwd: root,
  },
);

interface Line {
  readonly place: string;
  readonly text: string;
}

/** The lines of the shell blocks, those that go on behind a backslash as one. */
function shellLines(document: string): readonly Line[] {
  const found: Line[] = [];
  let isShell = false;
  let begun = "";
  for (const [index, line] of readFileSync(join(root, document), "utf8").split("\n").entries()) {
    if (line.startsWith("```")) isShell = line === "```sh" || line === "```bash";
    else if (isShell && line.endsWith("\\")) begun += line.slice(0, -1);
    else if (isShell) {
      found.push({ place: `${document}:${index + 1}`, text: begun + line });
      begun = "";
    }
  }
  return found;
}

/** The words of each command of a line, as a shell takes them apart: quotes are taken off, and comments left out. */
function commandsIn(line: string): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  for (const [token] of line.matchAll(/\s+|#.*|[|;&]+|\d?>+|(?:"[^"]*"|'[^']*'|\$\([^)]*\)|[^\s"'|;&>])+/gu)) {
    if (/^\s|^#/u.test(token)) continue;
    if (/^(?:[|;&]+|\d?>+)$/u.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replaceAll(/"([^"]*)"|'([^']*)'/gu, "$1$2"));
  }
  return commands;
}

/** What follows `loci` in a command, behind variables that are set for it. Undefined: it is another program's. */
function wordsOfLoci(words: readonly string[]): readonly string[] | undefined {
  const [first, ...rest] = words.slice(words.findIndex((word) => !/^[A-Z_]+=/u.test(word)));
  if (first === "npx" && rest[0] === "loci") return rest.slice(1);
  return first === "loci" ? rest : undefined;
}

/** Takes the words and does nothing. @returns what is wrong with them */
async function refusal(words: readonly string[]): Promise<string | undefined> {
  const program = commandLine(["--json"], { signal: new AbortController().signal });
  doNothing(program);
  try {
    await program.parseAsync(words, { from: "user" });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function doNothing(command: Command): void {
  command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
  if (command.commands.length === 0) command.action(() => undefined);
  for (const child of command.commands) doNothing(child);
}

test("every loci command of the documents is one that loci takes", async () => {
  vi.stubEnv("LOCI_INDEX_USE", undefined);
  vi.stubEnv("LOCI_API_KEY", "loci_example"); // as the documents set it where it is needed
  const refused: string[] = [];
  let tried = 0;
  for (const { place, text } of documents.flatMap(shellLines))
    for (const words of commandsIn(text).map(wordsOfLoci)) {
      if (words === undefined) continue;
      tried++;
      const problem = await refusal(words);
      if (problem !== undefined) refused.push(`${place}: loci ${words.join(" ")}: ${problem}`);
    }
  vi.unstubAllEnvs();
  expect(refused).toEqual([]);
  expect(tried).toBeGreaterThan(100);
});

test("every loci command within a sentence has words and options that there are", async () => {
  const refused: string[] = [];
  let tried = 0;
  for (const document of documents)
    for (const [, code = ""] of readFileSync(join(root, document), "utf8").matchAll(/`((?:npx )?loci [a-z][^`\n]*)`/gu))
      for (const words of commandsIn(code).map(wordsOfLoci)) {
        if (words === undefined) continue;
        tried++;
        // A name in capitals stands for a value, and what a sentence does not need is left out.
        const given = words.filter((word) => word !== "…").map((word) => (/^[A-Z]+$/u.test(word) ? "1" : word));
        const problem = await refusal(given);
        if (problem !== undefined && !/missing|not specified|outputHelp/u.test(problem))
          refused.push(`${document}: ${code}: ${problem}`);
      }
  expect(refused).toEqual([]);
  expect(tried).toBeGreaterThan(100);
});

test("what loci does not take is found in a document", async () => {
  const wrong =
    'LOCI_API_KEY=loci_… npx loci recall "which # theme?" --scpe user:ann | head   # with an option that is none';
  expect(commandsIn(wrong).map(wordsOfLoci)).toEqual([["recall", "which # theme?", "--scpe", "user:ann"], undefined]);
  expect(await refusal(["recall", "which theme?", "--scpe", "user:ann"])).toContain("unknown option '--scpe'");
  expect(await refusal(["memories", "rename", "x"])).toContain("unknown command 'rename'");
  expect(await refusal(["recall"])).toContain("missing required argument 'query'");
  expect(await refusal(["recall", "x", "--limit", "many"])).toContain("must be a number");
});
