import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { looseObjectPath } from "@loci/git-mirror";
import { takeForMissing } from "../file-error.ts";

/** What stands beside a mirror, to go on from. */
export interface MirrorNote {
  readonly owner: string;
  readonly head: string | null;
  readonly blobs: Readonly<Record<string, string>>;
  /** The blocks it has been told of, by their refs. */
  readonly refs: readonly string[];
  /** What was applied last. */
  readonly sequence: number;
}

export const noteName = "loci-mirror.json";

/** The note of a mirror; `undefined` when it cannot be read, or the last commit is not there. */
export async function readNote(path: string): Promise<MirrorNote | undefined> {
  try {
    const note = JSON.parse(await readFile(join(path, ".git", noteName), "utf8")) as MirrorNote;
    if (note.head !== null) await readFile(join(path, ".git", "objects", looseObjectPath(note.head)));
    return note;
  } catch (error) {
    // What it cannot be told from now would be removed, and made anew.
    return takeForMissing(path, error);
  }
}
