import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openFilesLimit, warnOfFewOpenFiles } from "../src/few-open-files.ts";
import { watchFiles } from "../src/files-used-up.ts";
import { Logger } from "../src/logging/logger.ts";
import type { LogLine } from "./test-server.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-few-files-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the limit of open files", () => {
  const limits = (soft: string): string => {
    const path = join(folder, "limits");
    const text = `Limit                     Soft Limit           Hard Limit           Units
Max processes             7                    7                    processes
Max open files            ${soft.padEnd(20)} 524288               files
Max locked memory         8388608              8388608              bytes
`;
    writeFileSync(path, text);
    return path;
  };

  test("is read as Linux tells it", () => {
    expect(openFilesLimit(limits("1024"))).toBe(1024);
    expect(openFilesLimit(limits("unlimited"))).toBeUndefined();
    expect(openFilesLimit(join(folder, "nothing"))).toBeUndefined();
  });

  test.each([
    [undefined, 0],
    [1_087, 1],
    [1_088, 0],
  ])("of %s is worth %i lines to a server of 1,024 connections", (limit, lines) => {
    const written: string[] = [];
    warnOfFewOpenFiles(1_024, new Logger("info", (line) => written.push(line)), limit);
    expect(written).toHaveLength(lines);
  });
});

const main = join(import.meta.dirname, "../src/main.ts");
const serving = [process.execPath, "--no-warnings", "--conditions=@loci/source", main];

test.runIf(process.platform === "linux").each([
  [1, 1_088],
  // Each connection of a caller is one to a worker, too.
  [2, 2_112],
])("a server of %i processes with few files says so once, and what to do", async (workers, needed) => {
  const server = spawn("sh", ["-c", 'ulimit -n 256; exec "$@"', "sh", ...serving], {
    env: { ...process.env, LOCI_DATA_DIR: folder, LOCI_LISTEN_PORT: "0", LOCI_WORKERS: String(workers) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const log: LogLine[] = [];
  for await (const line of createInterface(server.stderr)) {
    log.push(JSON.parse(line) as LogLine);
    if (log.at(-1)?.event === "started" && log.at(-1)?.["worker"] === undefined) server.kill("SIGTERM");
  }
  if (server.exitCode === null) await once(server, "exit");
  expect(log.filter(({ event }) => event === "few open files")).toEqual([
    expect.objectContaining({ level: "warn", limit: 256, needed }),
  ]);
  expect(JSON.stringify(log)).toContain("LimitNOFILE");
});

describe("files that are used up", () => {
  afterEach(() => void vi.useRealTimers());

  test("are told of every 10 s, until there are some again", () => {
    vi.useFakeTimers();
    const written: string[] = [];
    let isLeft = true;
    const files = watchFiles(new Logger("info", (line) => written.push(line)), () => isLeft);
    files.look();
    expect(written).toHaveLength(0);
    isLeft = false;
    vi.advanceTimersByTime(60);
    for (let connection = 0; connection < 100; connection++) files.look();
    expect(written).toHaveLength(1);
    expect(written[0]).toContain('"level":"error","event":"no open files left"');
    vi.advanceTimersByTime(15_000);
    expect(written).toHaveLength(2);
    isLeft = true;
    vi.advanceTimersByTime(60_000);
    files.stop();
    isLeft = false;
    vi.advanceTimersByTime(60_000);
    expect(written).toHaveLength(2);
  });
});

test.runIf(process.platform === "linux").each([1, 2])(
  "a server of %i processes whose connections take all files says so",
  async (workers) => {
    const server = spawn("sh", ["-c", 'ulimit -n 256; exec "$@"', "sh", ...serving], {
      env: { ...process.env, LOCI_DATA_DIR: folder, LOCI_LISTEN_PORT: "0", LOCI_WORKERS: String(workers) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const sockets: Socket[] = [];
    const told: LogLine[] = [];
    for await (const line of createInterface(server.stderr)) {
      const said = JSON.parse(line) as LogLine;
      if (said.event === "started" && said["worker"] === undefined) {
        const port = Number(String(said["address"]).split(":").at(-1));
        for (let number = 0; number < 300; number++) {
          const socket = connect({ host: "127.0.0.1", port });
          socket.on("error", () => undefined);
          sockets.push(socket);
        }
      }
      if (said.event !== "no open files left") continue;
      told.push(said);
      for (const socket of sockets.splice(0)) socket.destroy();
      server.kill("SIGTERM");
    }
    if (server.exitCode === null) await once(server, "exit");
    expect(told).toEqual([expect.objectContaining({ level: "error" })]);
    expect(told[0]?.["advice"]).toContain("LimitNOFILE");
  },
);
