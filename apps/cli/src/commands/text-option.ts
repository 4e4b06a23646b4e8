import { readFile } from "node:fs/promises";
import { LociError } from "@loci/domain";

/** A text given on the command line, or read from the file when it is `@FILE`. */
export async function textOption(value: string | undefined): Promise<string | undefined> {
  return value?.startsWith("@") === true ? await readTextFile(value.slice(1)) : value;
}

/**
 * Without the byte order mark that some editors write.
 *
 * @throws LociError `FILE_NOT_FOUND`, `INVALID_TEXT`
 */
export async function readTextFile(file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: unknown) => {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new LociError("FILE_NOT_FOUND", {
      message: code === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be read: ${code}.`,
      resource: file,
      advice: "Check its path, and that you may read it.",
      cause,
    });
  });
  return decoded(bytes, file);
}

/** A text given on the command line: `-` stands for standard input. @throws LociError `INVALID_TEXT` */
export async function readText(given: string): Promise<string> {
  return given === "-" ? readStandardInput() : given;
}

async function readStandardInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return decoded(Buffer.concat(parts), "Standard input").trimEnd();
}

/** @throws LociError `INVALID_TEXT` */
function decoded(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new LociError("INVALID_TEXT", {
      message: `${name} is not valid UTF-8.`,
      advice: "Convert it to UTF-8 first.",
      cause,
    });
  }
}
