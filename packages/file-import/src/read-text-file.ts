import { createReadStream } from "node:fs";
import { LociError, throwIfAborted } from "@loci/domain";

/** Largest file that is read as one text. */
const maxFileBytes = 16 * 1024 * 1024;

/**
 * Reads a UTF-8 file whole.
 *
 * @throws LociError `FILE_NOT_FOUND` when it cannot be read, `INVALID_TEXT` when it is not UTF-8 or larger than 16 MiB
 */
export async function readTextFile(path: string, signal: AbortSignal | undefined): Promise<string> {
  throwIfAborted(signal);
  const bytes = await readAtMost(path, signal).catch((cause: unknown) => {
    throwIfAborted(signal);
    throw new LociError("FILE_NOT_FOUND", { message: `${path} cannot be read.`, resource: path, cause });
  });
  if (bytes.length > maxFileBytes)
    throw new LociError("INVALID_TEXT", {
      message: `${path} has more than the ${maxFileBytes} bytes that are read.`,
      resource: path,
      advice: "Split the file.",
    });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new LociError("INVALID_TEXT", {
      message: `${path} is not valid UTF-8.`,
      resource: path,
      advice: "Convert it to UTF-8 first.",
      cause,
    });
  }
}

/** A file that is too large is read a little further than what is allowed, and no more. */
async function readAtMost(path: string, signal: AbortSignal | undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of createReadStream(path, { end: maxFileBytes, signal })) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
