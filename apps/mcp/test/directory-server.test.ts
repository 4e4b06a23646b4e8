import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { LociError, type ServerLocation } from "@loci/loci";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findOrStartServer } from "../src/index.ts";

const fakeServer = join(import.meta.dirname, "fake-server.ts");
let folder: string;
let dataDirectory: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-mcp-server-"));
  // Made by whoever comes first.
  dataDirectory = join(folder, "data");
});
afterEach(() => {
  for (const pid of starts())
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  // One that was started last may still be writing.
  rmSync(folder, { recursive: true, maxRetries: 3 });
});

function starts(): number[] {
  try {
    return readFileSync(join(dataDirectory, "starts"), "utf8").trimEnd().split("\n").map(Number);
  } catch {
    return [];
  }
}

function find(behaviour: string, startTimeMilliseconds = 30_000, signal?: AbortSignal): Promise<ServerLocation> {
  const command = {
    program: process.execPath,
    arguments: [fakeServer, dataDirectory, behaviour],
    environment: process.env,
  };
  return findOrStartServer({ dataDirectory, command, startTimeMilliseconds }, signal ?? new AbortController().signal);
}

test("many that start at once end up at one server, and later ones start none", async () => {
  const locations = await Promise.all(Array.from({ length: 4 }, () => find("serve")));
  expect(new Set(locations.map(({ address }) => address)).size).toBe(1);
  // Starting this one would fail. (Those started above may still be on their way to finding the directory taken.)
  expect(await find("crash")).toEqual(locations[0]);
});

test("a server that cannot start says why", async () => {
  await expect(find("corrupt")).rejects.toMatchObject({ reason: "DATA_DIRECTORY_CORRUPT" });
  await expect(find("crash")).rejects.toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    message: expect.stringContaining("it ended with 1"),
    advice: expect.stringContaining("server.log"),
  });
});

test("a directory that is locked is tried again, until it is free or the time is over", async () => {
  expect(await find("locked-once")).toMatchObject({ pid: starts()[1] });
  rmSync(join(dataDirectory, "server.json"));
  await expect(find("locked", 0)).rejects.toMatchObject({ reason: "DATA_DIRECTORY_LOCKED" });
});

test("a server that says nothing is not waited for long, and nobody waits after an abort", async () => {
  await expect(find("hang", 100)).rejects.toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    advice: expect.stringContaining("loci serve --data"),
  });
  const reason = new LociError("CLOSED", { message: "Closed." });
  const end = new AbortController();
  const waiting = find("hang", 30_000, end.signal);
  end.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test("a program that is not there is an error, too", async () => {
  const command = { program: join(folder, "nothing"), arguments: [], environment: {} };
  await expect(findOrStartServer({ dataDirectory, command }, new AbortController().signal)).rejects.toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    message: expect.stringContaining("ENOENT"),
  });
});

test("a server that ends without a log is an error, too", async () => {
  const command = {
    program: process.execPath,
    arguments: ["-e", "require('fs').rmSync('server.log'); process.exit(3)"],
    environment: process.env,
  };
  await expect(findOrStartServer({ dataDirectory, command }, new AbortController().signal)).rejects.toMatchObject({
    reason: "SERVER_UNAVAILABLE",
    message: expect.stringContaining("it ended with 3"),
  });
});

// In a process of its own, which can be stopped when it does not end.
test.runIf(process.platform === "linux")(
  "a directory that cannot be made is an error, and is not tried forever",
  () => {
    const program = `
    import { findOrStartServer } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, "../src/index.ts")))};
    const command = { program: process.execPath, arguments: [], environment: {} };
    await findOrStartServer({ dataDirectory: "/proc/none/data", command }, new AbortController().signal);`;
    const { status, signal, stderr } = spawnSync(
      process.execPath,
      ["--no-warnings", "--conditions=@loci/source", "--input-type=module", "-e", program],
      { encoding: "utf8", timeout: 50_000, killSignal: "SIGKILL" },
    );
    expect({ status, signal }).toEqual({ status: 1, signal: null });
    expect(stderr).toContain("INVALID_CONFIGURATION");
  },
);
