import { statSync } from "node:fs";
import { LociError } from "@loci/domain";

/**
 * The file that was opened, told from another that took its place. A process goes on reading and writing a file that was
 * removed or moved under it, and nobody would find again what it acknowledged.
 */
export class OpenedFile {
  readonly path: string;
  readonly #identity: string | undefined;

  constructor(path: string) {
    this.path = path;
    this.#identity = identityOf(path);
  }

  /** @throws LociError `DATA_DIRECTORY_MOVED` when the file is no longer where it was opened */
  checkInPlace(): void {
    if (identityOf(this.path) === this.#identity) return;
    throw new LociError("DATA_DIRECTORY_MOVED", {
      message: `${this.path} was removed, moved or replaced while it was open. Nothing more is written.`,
      resource: this.path,
      advice: "Stop this process, put the directory back where it was, or a backup in its place, and start again.",
    });
  }
}

function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
