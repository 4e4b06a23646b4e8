import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), "loci-cannot-be-made-"));
});
afterEach(() => rmSync(dataDirectory, { recursive: true }));

const library = JSON.stringify(pathToFileURL(join(import.meta.dirname, "../src/index.ts")));

// In a process of its own, which can be stopped when it does not end.
test.runIf(process.platform === "linux").each([
  [
    "of a backup",
    `const loci = await openLoci({ tenant: "local", dataDirectory });
     try { await loci.maintenance.backup({ directory: "/proc/none/backup" }); } finally { await loci.close(); }`,
    "/proc/none/backup cannot be made: ENOENT.",
  ],
  ["that is divided", `writeDivision("/proc/none/data", { shards: 2, placed: new Map(), leftovers: [] });`, "ENOENT"],
])("a directory %s that cannot be made is an error, and is not tried forever", (_, statements, problem) => {
  const program = `
    import { openLoci, writeDivision } from ${library};
    const dataDirectory = ${JSON.stringify(dataDirectory)};
    ${statements}`;
  const { status, signal, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", "--conditions=@loci/source", "--input-type=module", "-e", program],
    { encoding: "utf8", timeout: 50_000, killSignal: "SIGKILL" },
  );
  expect({ status, signal }).toEqual({ status: 1, signal: null });
  expect(stderr).toContain(problem);
});
