// What `docs/guides/blocks-and-approvals.md` shows in three languages, run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectLocalLoci } from "@loci/client";
import { expect, test } from "vitest";
import { missingToolchain, pythonProgram, skipReason } from "../toolchains.ts";
import { programMilliseconds, runProgram, workspaceRoot } from "./run-program.ts";
import { serveLoci } from "./served-loci.ts";

const example = "docs/examples/block-edit";

const programs = [
  ["ts", [process.execPath, "--conditions=@loci/source", `${example}.ts`], undefined],
  ["py", [pythonProgram, `${example}.py`], missingToolchain("python")],
  ["go", ["go", "-C", "packages/client-go", "run", `../../${example}.go`], missingToolchain("go")],
] as const;

for (const [ending, [program, ...command], missing] of programs) {
  const reason = skipReason(missing);
  test.skipIf(missing !== undefined)(
    `the program in .${ending} proposes two operations and approves the first of them${reason}`,
    { timeout: programMilliseconds },
    async () => {
      await using server = await serveLoci();
      const output = await runProgram(program, command, { LOCI_DATA_DIR: server.dataDirectory });
      expect(output).toBe("preferences\n[USER] Alice\n[PREFS] short answers\n");
      await using loci = connectLocalLoci({ dataDirectory: server.dataDirectory });
      const human = { owner: "user:alice", label: "human" } as const;
      expect(await loci.blocks.get(human)).toMatchObject({
        version: 2,
        values: { name: "Alice", preferences: ["short answers"] },
      });
      const { edits } = await loci.blocks.listEdits({ ...human, states: ["approved"] });
      expect(edits).toMatchObject([{ reason: "She asked for short answers", approvedHunks: [0] }]);
    },
  );
}

test("the guide shows the programs as they are run", () => {
  const guide = readFileSync(join(workspaceRoot, "docs/guides/blocks-and-approvals.md"), "utf8");
  const block = new RegExp(`^<!-- ${example}\\.(\\w+) -->\\n\\n\`\`\`\\w+\\n(.*?)^\`\`\`$`, "gms");
  const printed = new Map(Array.from(guide.matchAll(block), ([, ending = "", code = ""]) => [ending, code]));
  expect([...printed.keys()]).toEqual(["ts", "py", "go"]);
  for (const [ending, code] of printed)
    expect(code).toBe(readFileSync(join(workspaceRoot, `${example}.${ending}`), "utf8"));
});
