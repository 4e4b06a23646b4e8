import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** What no source of the page may hold: ways from a string to HTML or to a program, and what the browser's rules would refuse. */
const forbidden: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\b(?:inner|outer)HTML\b|\binsertAdjacentHTML\b|dangerouslySetInnerHTML|\bsetHTML\w*\(/, "makes HTML of a string"],
  [/\bDOMParser\b|\bcreateContextualFragment\b|\bdocument\.write/, "makes HTML of a string"],
  [/\beval\s*\(|\bnew Function\b|\bset(?:Timeout|Interval)\(\s*["'`]/, "makes a program of a string"],
  [/\bstyle=|<style\b|\bcssText\b/, "is an inline style"],
  [/\bdocument\.cookie\b|\bcookieStore\b/, "is a cookie"],
  [/\blocalStorage\b|\bindexedDB\b/, "keeps something after the page is closed"],
  [/\bhref=\{(?!fragmentOf\()/, "makes a link of data"],
];

/** @throws Error that names each place of a source that may not be there */
export function checkSources(folder: string): void {
  const found = globSync("**/*.{ts,tsx,html,css}", { cwd: folder }).flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        forbidden
          .filter(([pattern]) => pattern.test(line))
          .map(([, why]) => `${relative(folder, join(folder, file))}:${index + 1} ${why}: ${line.trim()}`),
      ),
  );
  if (found.length > 0) throw new Error(`The page has sources that it may not have:\n${found.join("\n")}`);
}
