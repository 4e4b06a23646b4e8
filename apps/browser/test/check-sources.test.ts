import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkSources } from "../build/check-sources.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "loci-sources-"))));
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  "row.innerHTML = memory.text;",
  "<p dangerouslySetInnerHTML={{ __html: text }} />",
  'row.insertAdjacentHTML("beforeend", text)',
  "<i style={{ width: 3 }} />",
  "<style>p {}</style>",
  "document.cookie = token;",
  "localStorage.token = token;",
  "eval(text)",
  "new Function(text)",
  "<a href={memory.text}>open</a>",
])("the page is not built with %s", (line) => {
  writeFileSync(join(folder, "planted.tsx"), `export const fine = 1;\n${line}\n`);
  expect(() => checkSources(folder)).toThrow(`planted.tsx:2`);
});

test("the sources of the page are as they should be", () => {
  expect(() => checkSources(join(import.meta.dirname, "../src/page"))).not.toThrow();
});
