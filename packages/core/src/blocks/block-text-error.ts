import { LociError } from "@loci/domain";

/**
 * What is wrong with a line of a text that someone wrote.
 *
 * @param line from 1
 * @param fault what is wrong with it, without its words: it may be anybody's memory
 */
export function blockTextError(line: number, fault: string, advice = "Correct the line."): LociError {
  return new LociError("INVALID_BLOCK_TEXT", {
    message: `Line ${line}: ${fault}.`,
    field: "text",
    advice,
    details: { line: String(line) },
  });
}
