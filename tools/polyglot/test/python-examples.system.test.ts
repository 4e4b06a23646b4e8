// What only Python's documents show, run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { missingToolchain, pythonProgram } from "../toolchains.ts";
import { programMilliseconds, runProgram, workspaceRoot } from "./run-program.ts";
import { serveLoci } from "./served-loci.ts";

const missing = missingToolchain("python");
const reason = missing === undefined ? "" : ` (skipped: ${missing})`;

const outputs: Readonly<Record<string, string>> = {
  "change-memories.py": [
    "VERSION_CONFLICT 2 0.9 Read it again, look at what changed, and send the update with the new etag.",
    "VERSION_CONFLICT 2 0.9 Read it again, look at what changed, and send the update with the new etag.",
    "project:billing 2",
    "['Deploys are on Thursdays.']",
  ].join("\n"),
  "remember-asynchronously.py": "['The ferry leaves at nine.', 'The inn is in Oslo.']\nverify 5",
  "agent-loop.py": "The ferry to Oslo leaves at nine.",
};

test.skipIf(missing !== undefined).each(Object.entries(outputs))(
  `%s prints what it says${reason}`,
  { timeout: programMilliseconds },
  async (example, output) => {
    await using server = await serveLoci();
    const environment = { LOCI_DATA_DIR: server.dataDirectory };
    expect(await runProgram(pythonProgram, [`docs/examples/${example}`], environment)).toBe(`${output}\n`);
  },
);

test("Python's README prints its examples as they are run", () => {
  const readme = readFileSync(join(workspaceRoot, "packages/client-python/README.md"), "utf8");
  const block = /^<!-- docs\/examples\/(\S+) -->\n\n```python\n(.*?)^```$/gms;
  const printed = new Map(Array.from(readme.matchAll(block), ([, example = "", code = ""]) => [example, code]));
  expect([...printed.keys()]).toEqual(["remember-and-assemble.py", ...Object.keys(outputs)]);
  for (const [example, code] of printed)
    expect(code).toBe(readFileSync(join(workspaceRoot, "docs/examples", example), "utf8"));
});
