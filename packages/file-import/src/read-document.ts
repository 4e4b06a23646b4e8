import { LociError } from "@loci/domain";
import { readTextFile } from "./read-text-file.ts";

/**
 * Reads a document whole, as memories may hold it.
 *
 * @throws LociError as {@link readTextFile}, and `INVALID_TEXT` when it holds NUL characters
 */
export async function readDocument(path: string, signal: AbortSignal | undefined): Promise<string> {
  const document = await readTextFile(path, signal);
  if (!document.includes("\0")) return document;
  throw new LociError("INVALID_TEXT", {
    message: `${path} holds NUL characters, which no text has.`,
    resource: path,
    advice: "Save it as a text in UTF-8.",
  });
}

/** Whether it is the file that an error of {@link readDocument} is about, and not the call. */
export function isNoDocument(error: unknown): error is LociError {
  return LociError.is(error) && (error.reason === "INVALID_TEXT" || error.reason === "FILE_NOT_FOUND");
}
