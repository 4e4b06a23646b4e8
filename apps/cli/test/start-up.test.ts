import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { defaultConfiguration, startServer } from "@loci/server";
import { afterEach, beforeEach, expect, test } from "vitest";

const observer = pathToFileURL(join(import.meta.dirname, "programs/print-loaded-packages.ts")).href;
const main = join(import.meta.dirname, "../src/main.ts");
/** What takes longer to load than a short command to run. */
const heavy = ["engine", "core", "store", "embedding-model", "server"];

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "loci-cli-start-"));
});
afterEach(() => rmSync(data, { recursive: true }));

/** Runs a command in a process of its own. @returns which packages it loaded, and what it printed */
async function run(...words: readonly string[]): Promise<{ loaded: readonly string[]; out: string }> {
  const flags = ["--conditions=@loci/source", "--disable-warning=ExperimentalWarning", "--import", observer];
  const { LOCI_API_KEY: _key, LOCI_INDEX_USE: _use, ...inherited } = process.env;
  const env = { ...inherited, LOCI_DATA_DIR: data };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, main, ...words], { env });
  return { loaded: (/^loaded: (.*)$/m.exec(stderr)?.[1] ?? "").split(" "), out: stdout };
}

test("the help loads no engine", async () => {
  const { loaded, out } = await run("--help");
  expect(out).toContain("recall");
  expect(loaded).toContain("cli");
  const superfluous = [...heavy, "client", "api", "mcp", "file-import"];
  expect(loaded.filter((name) => superfluous.includes(name))).toEqual([]);
});

test("a recall in a directory that is served loads the client and no engine", async () => {
  const listen = { address: "127.0.0.1", port: 0 };
  const options = { ...defaultConfiguration, listen, dataDirectory: data };
  const server = await startServer(options, { writeLog: () => undefined });
  try {
    await run("remember", "Deploys happen on Thursdays.");
    const { loaded, out } = await run("recall", "When do deploys happen?");
    expect(out).toContain("Thursdays");
    expect(loaded).toContain("client");
    expect(loaded.filter((name) => heavy.includes(name))).toEqual([]);
  } finally {
    await server.close(0);
  }
});
