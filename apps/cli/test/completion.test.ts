import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand } from "./run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-completion-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether a shell is on this machine. */
function has(shell: string): boolean {
  try {
    execFileSync(shell, ["-c", "exit 0"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function script(shell: string): Promise<string> {
  const { out, code } = await runCommand(["completion", shell]);
  expect(code).toBe(0);
  return out;
}

/** The same in a file, whose name needs no quotes. */
async function scriptFile(shell: string): Promise<string> {
  const file = join(folder, `completion.${shell}`);
  writeFileSync(file, await script(shell));
  return file;
}

describe.skipIf(!has("bash"))("in bash", () => {
  test.each([
    [["rec"], ["recall", "receipts"]],
    [
      ["blocks", "sch"],
      ["schemas", "schema"],
    ],
    [["recall", "--expl"], ["--explain"]],
    [
      ["memories", "list", "--va"],
      ["--valid", "--valid-at"],
    ],
    [["memories", "list", "--state", "q"], ["quarantined"]],
    [["recall", "when do we deploy?", "--index", "lan"], ["lancedb"]],
    [
      ["blocks", "schema", ""],
      ["show", "create", "delete", "--help"],
    ],
    [["remember", "--scope", "user"], []],
  ])("%j is completed", async (words, wanted) => {
    const ask = 'eval "$1"; shift; COMP_WORDS=(loci "$@"); COMP_CWORD=$#; _loci; printf "%s\\n" "${COMPREPLY[@]}"';
    const answer = execFileSync("bash", ["-c", ask, "bash", await script("bash"), ...words], { encoding: "utf8" });
    expect(answer.split("\n").filter((word) => word !== "")).toEqual(wanted);
  });
});

test.skipIf(!has("zsh"))("in zsh", async () => {
  // What zsh's own completion does with the words is zsh's.
  const own =
    'compdef() {}; _files() { print files }; compadd() { print -rl -- "$@" }; _describe() { print -rl -- "${(@P)2}" }';
  const ask = (words: string): string => `words=(loci ${words}); CURRENT=$#words; _loci`;
  const run = async (words: string): Promise<string[]> => {
    const command = `${own}; source ${file}; ${ask(words)}`;
    return execFileSync("zsh", ["-f", "-c", command], { encoding: "utf8" }).split("\n");
  };
  const file = await scriptFile("zsh");
  expect(await run("blocks sch")).toEqual(expect.arrayContaining([expect.stringMatching(/^schemas:./), "files"]));
  expect(await run("recall --e")).toContainEqual(expect.stringMatching(/^--explain:show every part/));
  expect(await run("recall x --index ''")).toEqual(expect.arrayContaining(["--", "embedded", "lancedb"]));
});

test.skipIf(!has("fish"))("in fish", async () => {
  const ask = `source ${await scriptFile("fish")}; complete -C "loci blocks sch"; complete -C "loci recall --expl"`;
  const answer = execFileSync("fish", ["--no-config", "-c", ask], { encoding: "utf8" });
  expect(answer).toMatch(/^schemas\t.*\n^schema\t|^schema\t.*\n^schemas\t/m);
  expect(answer).toMatch(/^--explain\t/m);
});

test("another shell is refused with those there are", async () => {
  const { code, error } = await runCommand(["completion", "cmd"]);
  expect(code).toBe(2);
  expect(error).toContain("bash, zsh, fish");
});
