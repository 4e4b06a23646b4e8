import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("nothing imports SQLite itself, so that a Node without it is told in one sentence", () => {
  const sources = join(import.meta.dirname, "../src");
  const files = globSync("**/*.ts", { cwd: sources });
  expect(files).toContain("sqlite-module.ts");
  const importing = files.filter((file) =>
    /^import (?!type )[^;]*"node:sqlite"/m.test(readFileSync(join(sources, file), "utf8")),
  );
  expect(importing).toEqual([]);
});
