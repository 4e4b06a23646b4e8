// The MCP server as its users in another language meet it: by the protocol's own SDK for Python.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findServer } from "@loci/served-directory";
import { expect, test } from "vitest";
import { missingFramework, pythonProgram, skipReason } from "../toolchains.ts";
import { programMilliseconds, runProgram, workspaceRoot } from "./run-program.ts";
import { serveLoci } from "./served-loci.ts";

// The Agents SDK brings that of MCP.
const missing = missingFramework("openai-agents");
const reason = skipReason(missing);

const tools = "tools: recall remember assemble_context why forget view_blocks edit_block view_captures review";

function seen(protocol: string, text: string, formText: string): readonly string[] {
  return [
    `protocol: ${protocol}`,
    tools,
    `recalled: ${text}`,
    "scope: True",
    `form: ${formText}`,
    "left:",
    "refused: True",
  ];
}

test.skipIf(missing !== undefined)(
  `Python's SDK remembers, decides in forms and hears of changes, in both eras of the protocol${reason}`,
  { timeout: programMilliseconds },
  async () => {
    await using server = await serveLoci();
    const { dataDirectory } = server;
    const command = [
      "--conditions=@loci/source",
      "--disable-warning=ExperimentalWarning",
      join(workspaceRoot, "apps/cli/src/main.ts"),
      "mcp",
      "--data",
      dataDirectory,
      "--scope",
      "user:ann",
    ];
    const http = spawn(process.execPath, [...command, "--http", "127.0.0.1:0"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const [line] = (await once(createInterface(http.stdout), "line")) as [string];
      const output = await runProgram(pythonProgram, ["tools/polyglot/test/mcp_tour.py"], {
        LOCI_TEST_MCP_COMMAND: JSON.stringify([process.execPath, ...command]),
        LOCI_TEST_MCP_URL: line.replace(/^\D*(?=http)/, ""),
        LOCI_TEST_API_KEY: findServer(dataDirectory)?.apiKey ?? "",
      });
      expect(
        output
          .trimEnd()
          .split("\n")
          .map((each) => each.trimEnd()),
      ).toEqual([
        ...seen("2026-07-28", "The ferry leaves at nine.", "- The ferry leaves at nine."),
        ...seen("2025-11-25", "The ferry leaves at ten.", "- The ferry leaves at ten."),
        ...seen("2026-07-28", "The ferry leaves at eleven.", "- The ferry leaves at eleven."),
        "heard: loci://scope/user/ann",
      ]);
    } finally {
      http.kill();
      await once(http, "exit");
    }
  },
);
