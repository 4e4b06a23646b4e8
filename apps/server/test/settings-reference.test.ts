import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsReference } from "@loci/server";
import { wordsOf } from "./reference-page.ts";

const page = join(import.meta.dirname, "../../../docs/reference/server-settings.md");

test("the reference page says what the settings say", () => {
  expect(wordsOf(readFileSync(page, "utf8")), "run npm run reference").toBe(wordsOf(settingsReference()));
});

test("every setting says what it is for, in sentences", () => {
  const rows = settingsReference()
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  expect(rows.length).toBeGreaterThan(60);
  for (const row of rows) expect(row).toMatch(/^\| `[a-z_]+` \| [^|]+\. \| [^|]+ \| [^|]* \| `LOCI_[A-Z_]+` \|$/);
});
