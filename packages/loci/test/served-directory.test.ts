import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { announceServer, findServer } from "../src/index.ts";

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

test("what a server that died has left does not count", () => {
  const { pid } = spawnSync(process.execPath, ["--eval", ""]);
  announceServer(directory, { address: "127.0.0.1:5624", pid, tls: false });
  expect(findServer(directory)).toBeUndefined();
});

test.each(["", "{", "null", '{"address":1}', '{"address":"a:1","pid":1.5,"tls":false}'])(
  "a note that reads %j does not count",
  (text) => {
    writeFileSync(join(directory, "server.json"), text);
    expect(findServer(directory)).toBeUndefined();
  },
);
