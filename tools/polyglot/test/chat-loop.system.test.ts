// What `docs/guides/sessions.md` shows in three languages, run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectLocalLoci } from "@loci/client";
import { expect, test } from "vitest";
import { missingToolchain, pythonProgram, skipReason } from "../toolchains.ts";
import { programMilliseconds, runProgram, workspaceRoot } from "./run-program.ts";
import { serveLoci } from "./served-loci.ts";

const loop = "docs/examples/chat-loop";
const lines = ["I moved to Oslo in May.", "I work as a nurse.", "When does the ferry leave?"];

const programs = [
  ["ts", [process.execPath, "--conditions=@loci/source", `${loop}.ts`], undefined],
  ["py", [pythonProgram, `${loop}.py`], missingToolchain("python")],
  ["go", ["go", "-C", "packages/client-go", "run", `../../${loop}.go`], missingToolchain("go")],
] as const;

for (const [ending, [program, ...command], missing] of programs) {
  const reason = skipReason(missing);
  test.skipIf(missing !== undefined)(
    `the chat loop in .${ending} keeps what was said, and memories are made of it${reason}`,
    { timeout: programMilliseconds },
    async () => {
      await using server = await serveLoci();
      const environment = { LOCI_DATA_DIR: server.dataDirectory };
      const output = await runProgram(program, command, environment, `${lines.join("\n")}\n`);
      const answers = output.trimEnd().split("\n");
      // Each context shows what was said before it, once: the instructions, then two messages more every time.
      const shown = answers.map((answer) => Number(/\d+/.exec(answer)?.[0]));
      expect(shown.map((count) => count - (shown[0] ?? 0))).toEqual([0, 2, 4]);
      await using loci = connectLocalLoci({ dataDirectory: server.dataDirectory });
      const key = { scope: "user:ann", id: "ann-monday" } as const;
      const { turns } = await loci.sessions.turns(key);
      expect(turns.map(({ content }) => content)).toEqual(lines.flatMap((line, index) => [line, answers[index]]));
      expect((await loci.sessions.get(key)).state).toBe("closed");
      await loci.settled();
      const { captures } = await loci.captures.list({ session: key });
      await loci.captures.wait(captures[0]?.id ?? "");
      const { memories } = await loci.memories.list({ scopes: ["user:ann"] });
      expect(memories.map(({ text }) => text).join("\n")).toMatch(/Oslo[^]*nurse|nurse[^]*Oslo/);
    },
  );
}

test("the guide shows the loops as they are run", () => {
  const guide = readFileSync(join(workspaceRoot, "docs/guides/sessions.md"), "utf8");
  const block = new RegExp(`^<!-- ${loop}\\.(\\w+) -->\\n\\n\`\`\`\\w+\\n(.*?)^\`\`\`$`, "gms");
  const printed = new Map(Array.from(guide.matchAll(block), ([, ending = "", code = ""]) => [ending, code]));
  expect([...printed.keys()]).toEqual(["ts", "py", "go"]);
  for (const [ending, code] of printed)
    expect(code).toBe(readFileSync(join(workspaceRoot, `${loop}.${ending}`), "utf8"));
});
