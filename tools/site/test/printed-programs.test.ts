import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { frontPage } from "../front-page.ts";
import { printedPrograms, programsPrintedOtherwise } from "../printed-programs.ts";

const root = join(import.meta.dirname, "../../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

test("a program below the name of its file is printed as it is in the file", () => {
  const documents = globSync(["README.md", "docs/guides/*.md", "{packages,apps}/*/README.md"], { cwd: root });
  const texts = documents.map((path) => [path, readFileSync(join(root, path), "utf8")] as const);
  expect(texts.flatMap(([, text]) => printedPrograms(text)).length).toBeGreaterThan(20);
  const otherwise = texts.flatMap(([path, text]) =>
    programsPrintedOtherwise(root, text).map((file) => `${path}: ${file}`),
  );
  expect(otherwise).toEqual([]);
});

test("one that is printed otherwise, or has no file, is told of", () => {
  const printed = (file: string, code: string): string => `<!-- ${file} -->\n\n\`\`\`ts\n${code}\n\`\`\`\n`;
  const markdown = printed("docs/examples/first-minute.ts", "other();") + printed("docs/examples/none.ts", "");
  expect(programsPrintedOtherwise(root, markdown)).toEqual(["docs/examples/first-minute.ts", "docs/examples/none.ts"]);
});

test("the README prints the smallest program, and lines of the receipt that it really prints", () => {
  expect(printedPrograms(readme).map(({ file }) => file)).toContain("docs/examples/first-minute.ts");
  const [, receipt = ""] = /^```text\n(.*?)^```$/ms.exec(readme) ?? [];
  // Each run has other ids, which are a few tokens more or less.
  const withoutTokens = (line: string): string => line.replace(/\d+( +[\d,]+) +\d+%$/u, "N$1");
  const lines = receipt.trim().split("\n").map(withoutTokens);
  expect(lines).toHaveLength(4);
  const printed = frontPage(root).text.split("\n").map(withoutTokens);
  expect(lines.filter((line) => !printed.includes(line))).toEqual([]);
});
