import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { LociError } from "@loci/domain";
import { toFileError } from "./file-error.ts";

/** What tells one state of a file from another. */
export interface FileState {
  readonly modifiedAt: bigint;
  readonly size: bigint;
  readonly inode: bigint;
}

/** The largest file that is read, in bytes. */
const maxFileBytes = 1024 * 1024;

export function isSameState(left: FileState | undefined, right: FileState | undefined): boolean {
  return left?.modifiedAt === right?.modifiedAt && left?.size === right?.size && left?.inode === right?.inode;
}

/** A text in UTF-8 of at most 1 MiB that people keep as a file. */
export class TextFile implements AsyncDisposable {
  readonly state: FileState;
  readonly #file: FileHandle;
  readonly #name: string;

  private constructor(file: FileHandle, name: string, state: FileState) {
    this.#file = file;
    this.#name = name;
    this.state = state;
  }

  /**
   * @param name what errors call the file
   * @throws LociError `TEXT_TOO_LARGE`, `INVALID_REQUEST` for what is no file, and as {@link toFileError} where it cannot be opened
   */
  static async open(path: string, name: string): Promise<TextFile> {
    // Of a pipe without a writer, opening would otherwise wait for one.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
      throw toFileError(name, error);
    });
    try {
      const stats = await file.stat({ bigint: true });
      if (!stats.isFile()) throw refused(name, "is no file");
      if (stats.size > maxFileBytes) throw tooLarge(name);
      return new TextFile(file, name, { modifiedAt: stats.mtimeNs, size: stats.size, inode: stats.ino });
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** @throws LociError `TEXT_TOO_LARGE` for one that has grown meanwhile, `INVALID_REQUEST` for one that is no UTF-8 */
  async read(): Promise<string> {
    const { size } = this.state;
    // One byte more than it said: a file that grows meanwhile is noticed and not read to an end that moves.
    const buffer = Buffer.alloc(Number(size) + 1);
    const { bytesRead } = await this.#file.read(buffer, 0, buffer.length, 0);
    if (bytesRead > maxFileBytes) throw tooLarge(this.#name);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(buffer.subarray(0, Math.min(bytesRead, Number(size))));
    } catch {
      throw refused(this.#name, "is not a text in UTF-8");
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

function tooLarge(name: string): LociError {
  return new LociError("TEXT_TOO_LARGE", {
    message: `${name} has more than ${maxFileBytes} bytes.`,
    resource: name,
    advice: "Split the file, or move what is seldom needed into memories.",
    details: { maxBytes: String(maxFileBytes) },
  });
}

function refused(name: string, problem: string): LociError {
  return new LociError("INVALID_REQUEST", {
    message: `${name} ${problem}.`,
    resource: name,
    advice: "Put a text in UTF-8 there.",
  });
}
