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
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown reason";
    throw new LociError("FILE_NOT_FOUND", {
      message: code === "ENOENT" ? `There is no file ${file}.` : `${file} cannot be read: ${code}.`,
      resource: file,
      advice: "Check its path, and that you may read it.",
      cause,
    });
  }
}

/** A text given on the command line: `-` stands for standard input. @throws LociError `INVALID_TEXT` */
export async function readText(given: string): Promise<string> {
  return given === "-" ? readStandardInput() : given;
}

async function readStandardInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts)).trimEnd();
  } catch (cause) {
    throw new LociError("INVALID_TEXT", {
      message: "Standard input is not valid UTF-8.",
      advice: "Convert it to UTF-8 first.",
      cause,
    });
  }
}
