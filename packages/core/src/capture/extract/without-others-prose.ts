import { blank } from "./blank.ts";
import { linesOfMarkedBlocks } from "./marked-blocks.ts";
import { pastedLetters } from "./pasted-letters.ts";
import { startOfTranscript } from "./pasted-transcripts.ts";
import { withoutTextsToWorkOn } from "./texts-to-work-on.ts";

/**
 * With spaces for what others have written in plain words: letters, conversations, texts that are given to be worked on, what stands between marks
 * such as `<document>`. Who reads a turn without the rules may take it for the user's. As long as the text, and takes time linear in it.
 */
export function withoutOthersProse(text: string): string {
  const lines = text.split("\n");
  const transcript = startOfTranscript(lines);
  const written = lines.map((line, index) => (index < transcript ? line : blank(line)));
  for (const [first, end] of pastedLetters(lines))
    for (let index = first; index < end; index++) written[index] = blank(lines[index] ?? "");
  for (const index of linesOfMarkedBlocks(lines)) written[index] = blank(lines[index] ?? "");
  return withoutTextsToWorkOn(text, written.join("\n"));
}
