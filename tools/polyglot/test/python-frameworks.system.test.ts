import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { missingFramework, pythonFrameworks, type PythonFramework, pythonProgram, skipReason } from "../toolchains.ts";
import { type ClientEnvironment, serveClients } from "./client-environment.ts";
import { programMilliseconds, runProgram, workspaceRoot } from "./run-program.ts";

/** The adapters of the Python client: each extra, and the module that it is for. */
const frameworks = (Object.keys(pythonFrameworks) as PythonFramework[]).map((name) => ({
  name,
  module: name.replace("-", "_"),
  brings: pythonFrameworks[name],
  missing: missingFramework(name),
}));

let served: ClientEnvironment;

beforeAll(async () => {
  served = await serveClients();
});

afterAll(async () => served[Symbol.asyncDispose]());

describe.each(frameworks)("Python's loci-client[$name]", ({ name, module, brings, missing }) => {
  test.skipIf(missing !== undefined)(
    `its tests pass${skipReason(missing)}`,
    { timeout: programMilliseconds },
    async () => {
      const folder = `packages/client-python/test-${name}`;
      const command = `exec "$0" -m unittest discover --start-directory ${folder} --verbose 2>&1`;
      const shared = { PYTHONPATH: join(workspaceRoot, "packages/client-python/test") };
      const report = await runProgram("sh", ["-c", command, pythonProgram], { ...served.variables, ...shared });
      expect(report).toMatch(/^Ran \d\d tests/m);
      expect(report).not.toContain("skipped");
    },
  );

  test.skipIf(missing !== undefined)(`its absence is said as what to install${skipReason(missing)}`, async () => {
    // What is set to nothing cannot be imported.
    const absent = `import sys; sys.modules["${brings}"] = None`;
    const script = `${absent}\ntry: import loci_client.${module}\nexcept ModuleNotFoundError as error: print(error)`;
    const said = await runProgram(pythonProgram, ["-c", script], {});
    expect(said).toMatch(
      new RegExp(`^This needs .+, which is not installed: pip install 'loci-client\\[${name}\\]'\n$`),
    );
  });
});
