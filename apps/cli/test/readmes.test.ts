// What the programs take stands in the tables of their READMEs, and what stands there they take.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "./run-command.ts";

const apps = join(import.meta.dirname, "../..");

/** The cells of a README's table, a list a row. @param first what its first heading is */
function tableOf(readme: string, first: string): readonly (readonly string[])[] {
  const lines = readFileSync(join(apps, readme), "utf8").split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${first} `));
  const end = lines.indexOf("", start);
  const rows = lines.slice(start + 2, end).map((line) => line.replaceAll("\\|", "\0").split("|").slice(1, -1));
  return rows.map((cells) => cells.map((cell) => cell.replaceAll("\0", "|").trim()));
}

/** The words at the beginning of the lines of a help, below a heading. */
async function wordsOfHelp(path: readonly string[], heading: string): Promise<readonly string[]> {
  const { out } = await runCommand([...path, "--help"]);
  const [, below = ""] = out.split(`${heading}:\n`);
  return Array.from(below.matchAll(/^ {2}(?:-\w, )?([\w-]+)/gm), ([, word = ""]) => word);
}

/** Every command that does something, such as `blocks schema show`. */
async function commandsOf(path: readonly string[] = []): Promise<readonly string[]> {
  const children = (await wordsOfHelp(path, "Commands")).filter((name) => name !== "help");
  if (children.length === 0) return [path.join(" ")];
  const found: string[] = [];
  for (const name of children) found.push(...(await commandsOf([...path, name])));
  return found;
}

/** The commands that a cell names, such as `blocks schemas` and `capture run|undo`. What is in capitals, or a shell, is no command. */
function named(cell: string): readonly string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = ""]) => code).flatMap((code) => {
    const words = code.split(" ");
    const last = words.at(-1) ?? "";
    if (code.startsWith("completion ") || /^[A-Z]/.test(last)) return [words[0] ?? ""];
    return last.split("|").map((name) => [...words.slice(0, -1), name].join(" "));
  });
}

test("every command of loci stands in its README, and no other", async () => {
  const listed = tableOf("cli/README.md", "command").flatMap(([cell = ""]) => named(cell));
  expect(listed.toSorted()).toEqual((await commandsOf()).toSorted());
});

test("every option of loci mcp stands in its README, and no other", async () => {
  const listed = tableOf("mcp/README.md", "option").map(([cell = ""]) => cell.replaceAll("`", ""));
  const options = (await wordsOfHelp(["mcp"], "Options")).filter((name) => name !== "--help");
  expect(options).toContain("--scope");
  expect(listed.toSorted()).toEqual(options.toSorted());
});

test("a tenant that is named to loci mcp is refused, since its server takes it from the key", async () => {
  const { code, error } = await runCommand(["mcp", "--as-tenant", "acme"]);
  expect([code, error]).toEqual([2, expect.stringContaining("takes the tenant from the key")]);
});
