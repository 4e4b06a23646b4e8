// What only Python's documents show, run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { missingFramework, missingToolchain, pythonProgram, skipReason } from "../toolchains.ts";
import { programMilliseconds, runProgram, workspaceRoot } from "./run-program.ts";
import { serveLoci } from "./served-loci.ts";

const missing = missingToolchain("python");
const reason = skipReason(missing);

const outputs: Readonly<Record<string, string>> = {
  "change-memories.py": [
    "VERSION_CONFLICT 2 0.9 Read it again, look at what changed, and send the update with the new etag.",
    "VERSION_CONFLICT 2 0.9 Read it again, look at what changed, and send the update with the new etag.",
    "project:billing 2",
    "['Deploys are on Thursdays.']",
  ].join("\n"),
  "remember-asynchronously.py": "['The ferry leaves at nine.', 'The inn is in Oslo.']\nverify 5",
  "agent-loop.py": "The ferry to Oslo leaves at nine.",
  "memory-tools.py": "I have noted it.\n['Ann prefers window seats.']",
};

/** Those of agents' frameworks, by the framework. */
const frameworkOutputs = {
  langchain: {
    example: "memory-in-langchain.py",
    output: "At nine. 1\n['When does the ferry to Oslo leave?', 'At nine.']",
  },
  langgraph: {
    example: "store-in-langgraph.py",
    output: "Ann drinks Assam.\nI do not know.\nAnn drinks Assam.",
  },
  "openai-agents": {
    example: "memory-in-openai-agents.py",
    output: "At nine. 2\n['When does the ferry to Oslo leave?', 'At nine.']",
  },
  anthropic: {
    example: "memory-tool-of-anthropic.py",
    output: [
      "I have proposed to note that.",
      "Create /memories/travel.md",
      "Here's the content of /memories/travel.md with line numbers:",
      "     1\tAnn prefers window seats.",
      "     2\t",
    ].join("\n"),
  },
  "llama-index": {
    example: "memory-in-llama-index.py",
    output: "At nine. 1\n['When does the ferry to Oslo leave?', 'At nine.']\n['The ferry to Oslo leaves at nine.']",
  },
} as const;

test.skipIf(missing !== undefined).each(Object.entries(outputs))(
  `%s prints what it says${reason}`,
  { timeout: programMilliseconds },
  printsWhatItSays,
);

for (const framework of Object.keys(frameworkOutputs) as (keyof typeof frameworkOutputs)[]) {
  const absent = missingFramework(framework);
  const { example, output } = frameworkOutputs[framework];
  test.skipIf(absent !== undefined).each([[example, output]])(
    `%s prints what it says${skipReason(absent)}`,
    { timeout: programMilliseconds },
    printsWhatItSays,
  );
}

async function printsWhatItSays(example: string, output: string): Promise<void> {
  await using server = await serveLoci();
  const environment = { LOCI_DATA_DIR: server.dataDirectory };
  expect(await runProgram(pythonProgram, [`docs/examples/${example}`], environment)).toBe(`${output}\n`);
}

test("Python's README prints its examples as they are run", () => {
  const readme = readFileSync(join(workspaceRoot, "packages/client-python/README.md"), "utf8");
  const block = /^<!-- docs\/examples\/(\S+) -->\n\n```python\n(.*?)^```$/gms;
  const printed = new Map(Array.from(readme.matchAll(block), ([, example = "", code = ""]) => [example, code]));
  const ofFrameworks = Object.values(frameworkOutputs).map(({ example }) => example);
  expect([...printed.keys()]).toEqual(["remember-and-assemble.py", ...Object.keys(outputs), ...ofFrameworks]);
  for (const [example, code] of printed)
    expect(code).toBe(readFileSync(join(workspaceRoot, "docs/examples", example), "utf8"));
});
