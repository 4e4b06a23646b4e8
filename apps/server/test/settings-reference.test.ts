import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsReference } from "@loci/server";

const page = join(import.meta.dirname, "../../../docs/reference/server-settings.md");

/** The words of a page: how wide its columns and lines are is the formatter's business. */
function wordsOf(markdown: string): string {
  return markdown.replaceAll(/-{3,}/g, "---").replaceAll(/\s+/g, " ").trim();
}

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
