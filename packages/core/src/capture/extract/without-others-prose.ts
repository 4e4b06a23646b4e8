import { blank } from "./blank.ts";
import { linesOfOthers } from "./lines-of-others.ts";
import { withoutTextsToWorkOn } from "./texts-to-work-on.ts";

/**
 * With spaces for what others have written in plain words: letters, conversations, texts that are given to be worked on, what stands between marks
 * such as `<document>`. Who reads a turn without the rules may take it for the user's. As long as the text, and takes time linear in it.
 */
export function withoutOthersProse(text: string): string {
  const lines = text.split("\n");
  const others = linesOfOthers(lines);
  const written = lines.map((line, index) => (others.has(index) ? blank(line) : line));
  return withoutTextsToWorkOn(text, written.join("\n"));
}
