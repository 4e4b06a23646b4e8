import { Buffer } from "node:buffer";
import { dirname } from "node:path";

/** What was done to a file since the disk was last waited for. */
type FileChange = { readonly at: number; readonly bytes: Buffer } | { readonly length: number };

interface RecordedFile {
  bytes: Buffer;
  /** As it is on the disk for certain. */
  synced: Buffer;
  unsynced: FileChange[];
}

type Entry = RecordedFile | "directory";

/** What was done to the names of a directory. */
interface NameChange {
  readonly set: readonly { readonly path: string; readonly entry: Entry | undefined }[];
}

/** Decides what becomes of one thing that nobody waited for. */
export type Fate = () => "kept" | "lost" | "zeroed";

/** A file as it is found when there is power again. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/**
 * What a file system may lose when its power fails: of each file any of the writes since it was last waited for, which may
 * leave zeros where the file has grown already; of the names in a directory those from some moment on, as every journal
 * keeps their order.
 */
export class RecordedDisk {
  readonly #root: string;
  readonly #names = new Map<string, Entry>();
  readonly #syncedNames = new Map<string, Entry>();
  readonly #unsyncedNames = new Map<string, NameChange[]>();
  /** How often somebody waited for it. */
  syncs = 0;

  /** @param root a directory that is there for certain */
  constructor(root: string) {
    this.#root = root;
  }

  makeDirectory(path: string): void {
    if (path === this.#root || this.#names.has(path)) return;
    this.makeDirectory(dirname(path));
    this.#rename(dirname(path), [{ path, entry: "directory" }]);
  }

  /** @param isNew what is there is cut to nothing */
  open(path: string, isNew: boolean): void {
    const known = this.#names.get(path);
    if (known === undefined) this.#rename(dirname(path), [{ path, entry: newFile() }]);
    else if (isNew) this.cut(path, 0);
  }

  write(path: string, at: number, bytes: Uint8Array): void {
    this.#change(path, { at, bytes: Buffer.from(bytes) });
  }

  append(path: string, bytes: Uint8Array): void {
    this.write(path, this.#file(path).bytes.length, bytes);
  }

  cut(path: string, length: number): void {
    this.#change(path, { length });
  }

  sync(path: string): void {
    this.syncs++;
    const entry = path === this.#root ? "directory" : this.#names.get(path);
    if (entry === "directory") {
      for (const change of this.#unsyncedNames.get(path) ?? []) apply(this.#syncedNames, change);
      this.#unsyncedNames.delete(path);
    } else if (entry !== undefined) {
      entry.synced = entry.bytes;
      entry.unsynced = [];
    }
  }

  /** One more name for a file. */
  link(from: string, to: string): void {
    this.#rename(dirname(to), [{ path: to, entry: this.#file(from) }]);
  }

  rename(from: string, to: string): void {
    const entry = this.#names.get(from);
    this.#rename(dirname(to), [
      { path: from, entry: undefined },
      { path: to, entry },
    ]);
  }

  /** A file, or a directory with all that is in it. */
  remove(path: string): void {
    for (const name of [...this.#names.keys()]
      .filter((known) => known === path || known.startsWith(`${path}/`))
      .toSorted())
      this.#rename(dirname(name), [{ path: name, entry: undefined }]);
  }

  /** What is there after the power has failed now. */
  found(fate: Fate): readonly FoundFile[] {
    const names = new Map(this.#syncedNames);
    for (const changes of this.#unsyncedNames.values())
      for (const change of changes) {
        if (fate() !== "kept") break;
        apply(names, change);
      }
    const isReached = (path: string): boolean =>
      path === this.#root || (names.get(path) === "directory" && isReached(dirname(path)));
    return [...names].flatMap(([path, entry]) =>
      entry === "directory" || !isReached(dirname(path)) ? [] : [{ path, bytes: contentAfter(entry, fate) }],
    );
  }

  #rename(directory: string, set: NameChange["set"]): void {
    const change = { set };
    apply(this.#names, change);
    this.#unsyncedNames.set(directory, [...(this.#unsyncedNames.get(directory) ?? []), change]);
  }

  #change(path: string, change: FileChange): void {
    const file = this.#file(path);
    file.bytes = changed(file.bytes, change);
    file.unsynced.push(change);
  }

  #file(path: string): RecordedFile {
    const entry = this.#names.get(path);
    if (entry === undefined || entry === "directory") throw new TypeError(`${path} is no file`);
    return entry;
  }
}

function newFile(): RecordedFile {
  return { bytes: Buffer.alloc(0), synced: Buffer.alloc(0), unsynced: [] };
}

function apply(names: Map<string, Entry>, { set }: NameChange): void {
  for (const { path, entry } of set)
    if (entry === undefined) names.delete(path);
    else names.set(path, entry);
}

function contentAfter({ synced, unsynced }: RecordedFile, fate: Fate): Buffer {
  let bytes = synced;
  for (const change of unsynced) {
    const what = fate();
    if (what === "kept") bytes = changed(bytes, change);
    else if (what === "zeroed" && "at" in change)
      bytes = changed(bytes, { at: change.at, bytes: Buffer.alloc(change.bytes.length) });
  }
  return bytes;
}

function changed(before: Buffer, change: FileChange): Buffer {
  if ("length" in change) return Buffer.concat([before], change.length);
  const after = Buffer.alloc(Math.max(before.length, change.at + change.bytes.length));
  before.copy(after);
  change.bytes.copy(after, change.at);
  return after;
}
