import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lociVersion } from "../src/version.ts";

const root = join(import.meta.dirname, "../../..");

test("the version is that of every package", () => {
  const manifests = globSync(["packages/*/package.json", "apps/*/package.json"], { cwd: root });
  const versions = manifests.map((path) => JSON.parse(readFileSync(join(root, path), "utf8")) as { version: string });
  expect([...new Set(versions.map(({ version }) => version))]).toEqual([lociVersion]);
});
