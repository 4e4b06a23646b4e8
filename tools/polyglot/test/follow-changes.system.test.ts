// What `docs/guides/follow-changes.md` shows in Python, run.
import { connectLocalLoci } from "@loci/client";
import { expect, test } from "vitest";
import { missingToolchain, pythonProgram, skipReason } from "../toolchains.ts";
import { programMilliseconds, runProgram } from "./run-program.ts";
import { serveLoci } from "./served-loci.ts";

const missing = missingToolchain("python");
const reason = skipReason(missing);

test.skipIf(missing !== undefined)(
  `a watch in Python tells of what there is and what is forgotten${reason}`,
  { timeout: programMilliseconds },
  async () => {
    await using server = await serveLoci();
    await using loci = connectLocalLoci({ dataDirectory: server.dataDirectory });
    const ferry = await loci.memories.remember({ text: "The ferry leaves at nine.", scope: "user:ann" });
    await loci.memories.remember({ text: "The inn is in Oslo.", scope: "user:ann" });
    await loci.memories.forget(ferry.id);
    const output = await runProgram(
      pythonProgram,
      ["docs/examples/follow-changes.py"],
      { LOCI_DATA_DIR: server.dataDirectory },
      "",
    );
    expect(output).toBe(`written The inn is in Oslo.\nremoved ${ferry.id}\n`);
  },
);
