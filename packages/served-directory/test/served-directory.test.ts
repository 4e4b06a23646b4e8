import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { announceServer, announceStart, findServer, findStartingServer } from "../src/index.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "loci-served-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

test("a server that announced itself is found until it withdraws", () => {
  expect(findServer(directory)).toBeUndefined();
  const location = { address: "127.0.0.1:5624", pid: process.pid, tls: false };
  const withdraw = announceServer(directory, location);
  expect(findServer(directory)).toEqual(location);
  expect(readdirSync(directory)).toEqual(["server.json"]);
  withdraw();
  withdraw();
  expect(findServer(directory)).toBeUndefined();
});

test("a key is for this user alone, whatever stood under the file's names before", () => {
  const path = join(directory, "server.json");
  const elsewhere = join(directory, "elsewhere");
  writeFileSync(path, "old", { mode: 0o644 });
  chmodSync(path, 0o644);
  symlinkSync(elsewhere, `${path}.${process.pid}`);
  const location = { address: "127.0.0.1:5624", pid: process.pid, tls: false, apiKey: "loci_local_x" };
  const withdraw = announceServer(directory, location);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(findServer(directory)).toEqual(location);
  expect(readdirSync(directory)).toEqual(["server.json"]);
  withdraw();
});

test("a server that starts is found until it has started, and only while its process is there", () => {
  expect(findStartingServer(directory)).toBeUndefined();
  const started = announceStart(directory);
  expect(findStartingServer(directory)).toBe(process.pid);
  expect(statSync(join(directory, "starting.json")).mode & 0o777).toBe(0o600);
  started();
  expect(readdirSync(directory)).toEqual([]);
  const { pid } = spawnSync(process.execPath, ["--eval", ""]);
  for (const left of [`{"pid":${pid}}`, "{", "null", '{"pid":"1"}', '{"pid":-1}']) {
    writeFileSync(join(directory, "starting.json"), left);
    expect(findStartingServer(directory)).toBeUndefined();
  }
  announceStart(join(directory, "missing"))();
});

test("what a server that died has left does not count", () => {
  const { pid } = spawnSync(process.execPath, ["--eval", ""]);
  announceServer(directory, { address: "127.0.0.1:5624", pid, tls: false });
  expect(findServer(directory)).toBeUndefined();
});

test.each([
  "",
  "{",
  "null",
  '{"address":1}',
  '{"address":"a:1","pid":1.5,"tls":false}',
  '{"address":"a:1","pid":1,"tls":false,"apiKey":1}',
])("a note that reads %j does not count", (text) => {
  writeFileSync(join(directory, "server.json"), text);
  expect(findServer(directory)).toBeUndefined();
});
