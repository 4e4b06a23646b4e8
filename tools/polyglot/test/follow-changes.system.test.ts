// What `docs/guides/follow-changes.md` shows in Python and Go, run.
import { connectLocalLoci } from "@loci/client";
import { expect, test } from "vitest";
import { missingToolchain, pythonProgram, skipReason } from "../toolchains.ts";
import { programMilliseconds, runProgram } from "./run-program.ts";
import { serveLoci } from "./served-loci.ts";

const example = "docs/examples/follow-changes";

const programs = [
  ["Python", [pythonProgram, `${example}.py`], missingToolchain("python")],
  ["Go", ["go", "-C", "packages/client-go", "run", `../../${example}.go`], missingToolchain("go")],
] as const;

for (const [language, [program, ...command], missing] of programs) {
  const reason = skipReason(missing);
  test.skipIf(missing !== undefined)(
    `a watch in ${language} tells of what there is and what is forgotten${reason}`,
    { timeout: programMilliseconds },
    async () => {
      await using server = await serveLoci();
      await using loci = connectLocalLoci({ dataDirectory: server.dataDirectory });
      const ferry = await loci.memories.remember({ text: "The ferry leaves at nine.", scope: "user:ann" });
      await loci.memories.remember({ text: "The inn is in Oslo.", scope: "user:ann" });
      await loci.memories.forget(ferry.id);
      const output = await runProgram(program, command, { LOCI_DATA_DIR: server.dataDirectory }, "");
      expect(output).toBe(`written The inn is in Oslo.\nremoved ${ferry.id}\n`);
    },
  );
}
