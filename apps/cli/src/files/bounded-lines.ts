import { createReadStream } from "node:fs";
import { LociError } from "@loci/domain";

/** An exported memory takes at most about half of it: a text of 64 KiB, every character of it escaped, and its metadata. */
const maxLineBytes = 4 * 1024 * 1024;
const lineBreak = 0x0a;

/**
 * The lines of a UTF-8 file, one at a time and without their `\n`. Takes the memory of a line, whatever the file is.
 *
 * @throws LociError `FILE_NOT_FOUND`; `INVALID_TEXT` with file and line for a line of more than 4 MiB
 */
export async function* boundedLines(file: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let bytes = 0;
  let number = 1;
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > maxLineBytes)
      throw new LociError("INVALID_TEXT", {
        message: `${file}:${number} is longer than ${maxLineBytes} bytes.`,
        resource: file,
        advice: "No line that Loci wrote or takes is as long: check that this is the file you mean.",
      });
    if (part.length > 0) parts.push(part);
  };
  const finish = (): string => {
    const line = Buffer.concat(parts).toString("utf8");
    parts = [];
    bytes = 0;
    number++;
    return line;
  };
  for await (const chunk of chunksOf(file)) {
    let start = 0;
    for (let end = chunk.indexOf(lineBreak); end >= 0; end = chunk.indexOf(lineBreak, start)) {
      take(chunk.subarray(start, end));
      yield finish();
      start = end + 1;
    }
    take(chunk.subarray(start));
  }
  if (bytes > 0) yield finish();
}

async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(file)) yield chunk as Buffer;
  } catch (cause) {
    throw new LociError("FILE_NOT_FOUND", {
      message: `${file} cannot be read.`,
      resource: file,
      advice: "Check the path, and that you may read it.",
      cause,
    });
  }
}
