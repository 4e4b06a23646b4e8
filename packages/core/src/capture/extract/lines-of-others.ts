import { linesOfMarkedBlocks } from "./marked-blocks.ts";
import { pastedLetters } from "./pasted-letters.ts";
import { startOfTranscript } from "./pasted-transcripts.ts";

/** Which lines others have written in plain words: letters, conversations, what stands between marks such as `<document>`. Linear in the lines. */
export function linesOfOthers(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set(linesOfMarkedBlocks(lines));
  for (const [first, end] of pastedLetters(lines)) for (let index = first; index < end; index++) found.add(index);
  for (let index = startOfTranscript(lines); index < lines.length; index++) found.add(index);
  return found;
}
