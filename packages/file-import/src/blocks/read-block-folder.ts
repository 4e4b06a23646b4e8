import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BlockOperation, isPlainObject, LociError } from "@loci/domain";

/** The blocks of an owner as files. */
export interface BlockFolder {
  /** TOML by label. */
  readonly blocks: ReadonlyMap<string, string>;
  readonly edits: readonly FolderEdit[];
  /** Files that are none of these, or cannot be read. */
  readonly skipped: readonly SkippedFile[];
}

/** An edit that waits. */
export interface FolderEdit {
  /** Its path in the folder. */
  readonly file: string;
  readonly label: string;
  readonly operations: readonly BlockOperation[];
  readonly reason?: string | undefined;
}

export interface SkippedFile {
  /** Its path in the folder. */
  readonly file: string;
  readonly problem: string;
}

const blockFile = /^([a-z][a-z0-9_]{0,63})\.toml$/u;
/** A block or an edit that is larger was written by nobody. */
const maxBytes = 1024 * 1024;
const mostFiles = 10_000;

/** The label of a file in `blocks`; `undefined` for another file. */
export function labelOfFile(name: string): string | undefined {
  return blockFile.exec(name)?.[1];
}

/**
 * Reads `blocks/LABEL.toml` and `pending_diffs/ID.json` of a folder: plain files of at most 1 MiB. Links lead nowhere.
 *
 * @throws LociError `FILE_NOT_FOUND` when it has no folder `blocks`
 */
export async function readBlockFolder(folder: string): Promise<BlockFolder> {
  const skipped: SkippedFile[] = [];
  const names = await namesIn(folder, "blocks");
  if (names === undefined)
    throw new LociError("FILE_NOT_FOUND", {
      message: `${folder} has no folder blocks.`,
      resource: folder,
      advice: "Name a folder that loci blocks export has written, a git mirror, or a core memory file.",
    });
  const blocks = new Map<string, string>();
  for (const name of names) {
    const label = labelOfFile(name);
    if (label === undefined) continue;
    const text = await plainText(folder, `blocks/${name}`, skipped);
    if (text !== undefined) blocks.set(label, text);
  }
  const edits: FolderEdit[] = [];
  for (const name of (await namesIn(folder, "pending_diffs")) ?? []) {
    if (!name.endsWith(".json")) continue;
    const file = `pending_diffs/${name}`;
    const text = await plainText(folder, file, skipped);
    const edit = text === undefined ? undefined : editOf(file, text);
    if (edit !== undefined) edits.push(edit);
    else if (text !== undefined) skipped.push({ file, problem: "is no edit" });
  }
  return { blocks, edits, skipped };
}

async function namesIn(folder: string, name: string): Promise<readonly string[] | undefined> {
  const path = join(folder, name);
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) return undefined;
  return (await readdir(path)).toSorted().slice(0, mostFiles);
}

async function plainText(folder: string, file: string, skipped: SkippedFile[]): Promise<string | undefined> {
  const path = join(folder, file);
  const found = await lstat(path);
  if (!found.isFile()) skipped.push({ file, problem: "is no plain file" });
  else if (found.size > maxBytes) skipped.push({ file, problem: "is larger than 1 MiB" });
  else return readFile(path, "utf8");
  return undefined;
}

function editOf(file: string, text: string): FolderEdit | undefined {
  try {
    const edit: unknown = JSON.parse(text);
    if (!isPlainObject(edit)) return undefined;
    const { label, operations, reason } = edit;
    if (typeof label !== "string" || !Array.isArray(operations)) return undefined;
    // What the operations are is checked by whoever is asked to propose them.
    const known = { file, label, operations: operations as readonly BlockOperation[] };
    return typeof reason === "string" && reason !== "" ? { ...known, reason } : known;
  } catch {
    return undefined;
  }
}
