import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import { throwIfAborted } from "@loci/domain";
import { gitObject, looseObjectPath } from "@loci/git-mirror";
import { takeForMissing } from "../file-error.ts";
import { readNote } from "./mirror-note.ts";

const decompress = promisify(inflate);

/** Largest object that is looked at: a block is at most 64 KiB. */
const maxObject = 16 * 1024 * 1024;

/** What was found in a mirror. */
export interface CheckedMirror {
  /** Objects that are what their ids say. */
  readonly intact: number;
  /** Objects and files that are missing, or are not what they should be. */
  readonly damaged: number;
}

/** Whether a mirror can be gone on with: its note, its last commit, and its branch are there and agree. Reads three files. */
export async function isUsable(path: string): Promise<boolean> {
  const note = await readNote(path);
  if (note?.head === undefined || note.head === null) return note !== undefined;
  try {
    return (await readFile(join(path, ".git", "refs", "heads", "main"), "utf8")).trim() === note.head;
  } catch (error) {
    return takeForMissing(path, error) ?? false;
  }
}

/** Reads every object from the last commit on, and the files that stand beside. */
export async function checkMirror(path: string, signal: AbortSignal | undefined): Promise<CheckedMirror> {
  const note = (await isUsable(path)) ? await readNote(path) : undefined;
  if (note === undefined) return { intact: 0, damaged: 1 };
  const seen = new Set<string>(note.head === null ? [] : [note.head]);
  let damaged = 0;
  // Grows while it is gone through.
  for (const id of seen) {
    throwIfAborted(signal);
    const named = await namedBy(path, id);
    if (named === undefined) damaged++;
    for (const other of named ?? []) seen.add(other);
  }
  for (const [label, id] of Object.entries(note.blobs)) {
    const content = await readFile(join(path, "blocks", `${label}.toml`)).catch((error: unknown) =>
      takeForMissing(path, error),
    );
    if (content === undefined || gitObject("blob", content).id !== id) damaged++;
  }
  return { intact: Math.max(0, seen.size - damaged), damaged };
}

/** The ids an object names; `undefined` for one that is missing or not what its id says. */
async function namedBy(path: string, id: string): Promise<readonly string[] | undefined> {
  try {
    const loose = await readFile(join(path, ".git", "objects", looseObjectPath(id)));
    const object = await decompress(loose, { maxOutputLength: maxObject });
    if (createHash("sha1").update(object).digest("hex") !== id) return undefined;
    const end = object.indexOf(0);
    const type = object.toString("latin1", 0, end).split(" ")[0];
    const content = object.subarray(end + 1);
    return type === "commit" ? namedByCommit(content) : type === "tree" ? namedByTree(content) : [];
  } catch (error) {
    return takeForMissing(path, error);
  }
}

function namedByCommit(content: Buffer): readonly string[] {
  const head = content.toString("latin1", 0, content.indexOf("\n\n"));
  return head.split("\n").flatMap((line) => {
    const [word, id = ""] = line.split(" ");
    return word === "tree" || word === "parent" ? [id] : [];
  });
}

/** Each entry is a mode, a name, a zero and the twenty bytes of an id. */
function namedByTree(content: Buffer): readonly string[] {
  const ids: string[] = [];
  for (let next = 0; next < content.length;) {
    const start = content.indexOf(0, next) + 1;
    if (start === 0) break;
    ids.push(content.toString("hex", start, start + 20));
    next = start + 20;
  }
  return ids;
}
