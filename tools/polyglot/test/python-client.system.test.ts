import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  missingFramework,
  missingToolchain,
  pythonFrameworks,
  type PythonFramework,
  pythonProgram,
  skipReason,
} from "../toolchains.ts";
import { type ClientEnvironment, serveClients } from "./client-environment.ts";
import { programMilliseconds, runProgram } from "./run-program.ts";

const missing = missingToolchain("python");
const frameworks = (Object.keys(pythonFrameworks) as PythonFramework[]).map((name) => ({
  module: name.replace("-", "_"),
  missing: missingFramework(name),
}));

/** Reading what the frameworks are made of takes six times as long as all else: their adapters are looked at in the nightly run. */
const looksAtAdapters = process.env["LOCI_TYPES_OF_ADAPTERS"] === "1";

let served: ClientEnvironment;

beforeAll(async () => {
  served = await serveClients();
});

afterAll(async () => served[Symbol.asyncDispose]());

test("what the clients are compared with has in it what languages treat differently", () => {
  expect(served.context.text).toContain("請求処理 👩🏽‍💻 e\u0301");
  expect(served.context.text).toContain("Billing has no database.");
  expect(served.context.receipt.droppedCandidates).not.toHaveLength(0);
});

describe.skipIf(missing !== undefined)(`Python${skipReason(missing)}`, () => {
  test("its tests pass, and it assembles the same bytes as TypeScript", { timeout: programMilliseconds }, async () => {
    // unittest reports on standard error.
    const command = `exec "$0" -m unittest discover --start-directory packages/client-python/test --verbose 2>&1`;
    const report = await runProgram("sh", ["-c", command, pythonProgram], served.variables);
    expect(report).toMatch(/^test_assembles_the_same_bytes_as_typescript .* ok$/m);
    expect(report).not.toContain("skipped");
  });

  test("mypy finds nothing in it, nor in a program that calls it", { timeout: programMilliseconds }, async () => {
    const isLookedAt = ({ missing }: (typeof frameworks)[number]): boolean => looksAtAdapters && missing === undefined;
    const parts = frameworks.filter(isLookedAt);
    const others = frameworks.filter((each) => !isLookedAt(each));
    const left = others.flatMap(({ module }) => ["--exclude", `loci_client/${module}/`]);
    const programs = ["program", ...parts.map(({ module }) => `${module}_program`)].map(
      (name) => `test/typed_${name}.py`,
    );
    const command = `cd packages/client-python && exec "$0" -m mypy --no-incremental "$@"`;
    const checked = [...left, "src/loci_client", ...programs];
    expect(await runProgram("sh", ["-c", command, pythonProgram, ...checked], {})).toMatch(/^Success/);
  });
});
