import { readFile } from "node:fs/promises";
import { LociError } from "@loci/domain";

/** A text given on the command line, or read from the file when it is `@FILE`. */
export async function textOption(value: string | undefined): Promise<string | undefined> {
  return value?.startsWith("@") === true ? await readTextFile(value.slice(1)) : value;
}

/** @throws LociError `FILE_NOT_FOUND` */
export async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new LociError("FILE_NOT_FOUND", {
      message: `${file} cannot be read: ${(cause as Error).message}`,
      resource: file,
      cause,
    });
  }
}
