import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingToolchain, skipReason } from "../toolchains.ts";
import { type ClientEnvironment, serveClients } from "./client-environment.ts";
import { programMilliseconds, runProgram } from "./run-program.ts";

const missing = missingToolchain("go");

let served: ClientEnvironment;

beforeAll(async () => {
  served = await serveClients();
});

afterAll(async () => served[Symbol.asyncDispose]());

describe.skipIf(missing !== undefined)(`Go${skipReason(missing)}`, () => {
  test("its tests pass, and it assembles the same bytes as TypeScript", { timeout: programMilliseconds }, async () => {
    const report = await runProgram(
      "go",
      ["-C", "packages/client-go", "test", "-count=1", "-v", "./..."],
      served.variables,
    );
    expect(report).toContain("--- PASS: TestAssemblesTheSameBytesAsTypeScript");
    expect(report).not.toContain("--- SKIP");
  });

  test(
    "it is formatted as gofmt does, and go vet has nothing against it",
    { timeout: programMilliseconds },
    async () => {
      const unformatted = await runProgram("gofmt", ["-l", "packages/client-go", "docs/examples"], {});
      expect(unformatted).toBe("");
      await runProgram("go", ["-C", "packages/client-go", "vet", "./..."], {});
    },
  );

  // The detector has everything compiled once more, which takes minutes.
  test.skipIf(process.env["LOCI_GO_RACE"] === undefined)(
    "its tests pass under the race detector",
    { timeout: programMilliseconds },
    async () => {
      const report = await runProgram(
        "go",
        ["-C", "packages/client-go", "test", "-race", "-count=1", "-v", "./..."],
        served.variables,
      );
      expect(report).toContain("--- PASS: TestCancelledCallsLeaveNoGoroutine");
      expect(report).not.toContain("--- SKIP");
    },
  );
});
