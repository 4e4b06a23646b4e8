import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type LockEntries, missingEntries } from "../platform-packages.ts";

const text = readFileSync(`${import.meta.dirname}/../../../package-lock.json`, "utf8");

test("the committed lock names every platform's packages: if not, run `npm run lock`", () => {
  const lock = JSON.parse(text) as { packages: LockEntries };
  expect(Object.keys(missingEntries(lock.packages))).toEqual([]);
});

test("the committed lock names no registry", () => {
  expect(text).not.toMatch(/"resolved": "https?:/);
});

test("a missing package gets the version and the platform that its name says", () => {
  const tool = {
    dev: true,
    optionalDependencies: { "@tool/linux-arm-gnueabihf": "1.2.3", "tool-darwin-x64": "^2.0.0" },
  };
  expect(missingEntries({ "node_modules/tool": tool })).toEqual({
    "node_modules/@tool/linux-arm-gnueabihf": {
      version: "1.2.3",
      os: ["linux"],
      cpu: ["arm"],
      libc: ["glibc"],
      dev: true,
      optional: true,
    },
    "node_modules/tool-darwin-x64": { version: "2.0.0", os: ["darwin"], cpu: ["x64"], dev: true, optional: true },
  });
});

test("a package is found beside its dependant, within it, and further up", () => {
  const optionalDependencies = { "tool-linux-x64": "1.0.0" };
  const present = { version: "1.0.0" };
  const from = "node_modules/a/node_modules/tool";
  for (const place of [
    "node_modules/tool-linux-x64",
    "node_modules/a/node_modules/tool-linux-x64",
    `${from}/node_modules/tool-linux-x64`,
  ]) {
    expect(missingEntries({ [from]: { optionalDependencies }, [place]: present })).toEqual({});
  }
});

test("a package without a platform in its name is refused", () => {
  expect(() => missingEntries({ "node_modules/tool": { optionalDependencies: { extras: "1.0.0" } } })).toThrow(
    "extras",
  );
});
