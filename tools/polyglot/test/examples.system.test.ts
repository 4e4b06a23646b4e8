import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { missingToolchain, pythonProgram, skipReason } from "../toolchains.ts";
import { programMilliseconds, runProgram, workspaceRoot } from "./run-program.ts";
import { serveLoci } from "./served-loci.ts";

const example = "docs/examples/remember-and-assemble";

interface Program {
  readonly command: readonly [program: string, ...command: readonly string[]];
  /** Why it cannot be run here. */
  readonly missing?: string | undefined;
}

/** The programs by the ending of their file, each run as the README says. */
const programs = {
  ts: { command: [process.execPath, "--conditions=@loci/source", `${example}.ts`] },
  py: { command: [pythonProgram, `${example}.py`], missing: missingToolchain("python") },
  go: { command: ["go", "-C", "packages/client-go", "run", `../../${example}.go`], missing: missingToolchain("go") },
} as const satisfies Readonly<Record<string, Program>>;

/** Which programs each README prints. */
const readmes: Readonly<Record<string, readonly string[]>> = {
  "README.md": ["py"],
  "packages/client-python/README.md": ["py"],
  "packages/client-go/README.md": ["go"],
};

/** The ledger makes another for each memory. */
const memoryId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

let expected: string;

beforeAll(async () => {
  expected = await outputOf(programs.ts);
}, programMilliseconds);

test("the program in TypeScript prints a context with what it remembered", () => {
  expect(expected).toContain('<memory source="ID"');
  expect(expected).toContain("PostgreSQL 17");
  expect(expected).toContain("Which database does billing use, and why?");
});

for (const ending of ["py", "go"] as const) {
  const program: Program = programs[ending];
  const reason = skipReason(program.missing);
  test.skipIf(reason !== "")(
    `the program in .${ending} prints the same bytes but for the memory's id${reason}`,
    { timeout: programMilliseconds },
    async () => {
      expect(await outputOf(program)).toBe(expected);
    },
  );
}

test.each(Object.entries(readmes))("%s prints %s as it is run", (readme, endings) => {
  const printed = programsPrintedIn(readFileSync(join(workspaceRoot, readme), "utf8"));
  expect([...printed.keys()]).toEqual(endings);
  for (const [ending, code] of printed)
    expect(code).toBe(readFileSync(join(workspaceRoot, `${example}.${ending}`), "utf8"));
});

/** Every run has a server of its own, because what one program remembers the next would recall. */
async function outputOf({ command: [program, ...command] }: Program): Promise<string> {
  await using server = await serveLoci();
  const output = await runProgram(program, command, { LOCI_DATA_DIR: server.dataDirectory });
  return output.replaceAll(memoryId, "ID");
}

/** The code blocks under a comment with the name of their file, by its ending. */
function programsPrintedIn(markdown: string): Map<string, string> {
  const block = new RegExp(`^<!-- ${example}\\.(\\w+) -->\\n\\n\`\`\`\\w+\\n(.*?)^\`\`\`$`, "gms");
  return new Map(Array.from(markdown.matchAll(block), ([, ending = "", code = ""]) => [ending, code]));
}
