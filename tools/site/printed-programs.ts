import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A program that a document prints below a comment with the name of its file. */
export interface PrintedProgram {
  /** From the root of the repository. */
  readonly file: string;
  readonly code: string;
}

/** The code blocks below a comment such as `<!-- docs/examples/first-minute.ts -->`, in their order. */
export function printedPrograms(markdown: string): readonly PrintedProgram[] {
  const block = /^<!-- (\S+\.\w+) -->\n\n```\w+\n(.*?)^```$/gms;
  return Array.from(markdown.matchAll(block), ([, file = "", code = ""]) => ({ file, code }));
}

/** Which programs of a document are not in its file as they are printed. */
export function programsPrintedOtherwise(root: string, markdown: string): readonly string[] {
  return printedPrograms(markdown)
    .filter(({ file, code }) => !existsSync(join(root, file)) || !readFileSync(join(root, file), "utf8").endsWith(code))
    .map(({ file }) => file);
}
