import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";
import {
  type BlockChange,
  emptyMirror,
  type GitObject,
  looseObject,
  looseObjectPath,
  mirrorBlockChange,
  type MirrorState,
} from "@loci/git-mirror";
import { gitIndex } from "./git-index.ts";
import { makeFolder, removeAll, replaceFile } from "./mirror-files.ts";
import { type MirrorNote, noteName, readNote } from "./mirror-note.ts";

/** Files that are written at a time. */
const atOnce = 16;
/** Objects that are gathered before they are written: many versions share folders, and some files. */
const mostGathered = 256;

/** No hooks, no filters, no line endings of the machine. */
const configuration =
  "[core]\n\trepositoryformatversion = 0\n\tfilemode = false\n\tbare = false\n\tautocrlf = false\n\thooksPath = /dev/null\n";

/** A change of a block as the log has it. */
export interface MirroredChange {
  readonly change: BlockChange;
  /** What its commit is called. */
  readonly commitId: string;
  readonly ref: string;
  readonly sequence: number;
}

/** The git repository of one owner's blocks: written here, never read by Loci, and for people to look at. */
export class MirrorFolder {
  readonly #path: string;
  readonly #git: string;
  #state: MirrorState;
  #note: MirrorNote;
  /** Of objects, made since it was opened. */
  readonly #folders = new Set<string>();

  private constructor(path: string, note: MirrorNote) {
    this.#path = path;
    this.#git = join(path, ".git");
    this.#note = note;
    this.#state = note.head === null ? emptyMirror : { head: note.head, blobs: new Map(Object.entries(note.blobs)) };
  }

  /** Opens a mirror, or begins it. One whose note cannot be read is begun anew. */
  static async open(path: string, owner: string): Promise<MirrorFolder> {
    const note = await readNote(path);
    if (note !== undefined) return new MirrorFolder(path, note);
    await removeAll(path);
    const git = join(path, ".git");
    await mkdir(join(git, "objects"), { recursive: true });
    await mkdir(join(git, "refs", "heads"), { recursive: true });
    await writeFile(join(git, "config"), configuration);
    await writeFile(join(git, "HEAD"), "ref: refs/heads/main\n");
    return new MirrorFolder(path, { owner, head: null, blobs: {}, refs: [], sequence: 0 });
  }

  /** What was applied last. */
  get sequence(): number {
    return this.#note.sequence;
  }

  /**
   * Adds the commits of changes, in their order.
   *
   * @returns false when they come out otherwise than the log has it: what was mirrored before is not what the log says
   */
  async apply(changes: readonly MirroredChange[]): Promise<boolean> {
    const refs = new Set(this.#note.refs);
    const files = new Map<string, string | null>();
    const gathered = new Map<string, GitObject>();
    let { sequence } = this.#note;
    for (const { change, commitId, ref, sequence: place } of changes) {
      const step = mirrorBlockChange(this.#state, change);
      if (step.commit !== commitId) return false;
      for (const object of step.objects) gathered.set(object.id, object);
      if (gathered.size >= mostGathered) await this.#writeObjects(gathered);
      this.#state = step.state;
      refs.add(ref);
      files.set(change.label, change.toml);
      sequence = place;
    }
    await this.#writeObjects(gathered);
    const { head, blobs } = this.#state;
    for (const [label, toml] of files) await this.#writeFile(label, toml);
    const tracked = Array.from(blobs, ([label, id]) => [`blocks/${label}.toml`, id] as const);
    await replaceFile(join(this.#git, "index"), gitIndex(new Map(tracked)));
    await replaceFile(join(this.#git, "refs", "heads", "main"), `${head ?? ""}\n`);
    this.#note = { ...this.#note, head, blobs: Object.fromEntries(blobs), refs: [...refs], sequence };
    // Last: until then the same changes give the same objects again.
    await replaceFile(join(this.#git, noteName), JSON.stringify(this.#note));
    return true;
  }

  /** Shows an edit that waits, and takes away one that does not any more. */
  async showEdit(id: string, edit: unknown): Promise<void> {
    const path = join(this.#path, "pending_diffs", `${id}.json`);
    await makeFolder(dirname(path));
    if (edit === undefined) return removeAll(path);
    await replaceFile(path, `${JSON.stringify(edit, null, 2)}\n`);
  }

  async #writeFile(label: string, toml: string | null): Promise<void> {
    const path = join(this.#path, "blocks", `${label}.toml`);
    await makeFolder(dirname(path));
    if (toml === null) return removeAll(path);
    await replaceFile(path, toml);
  }

  /** Writes what was gathered, in any order: nothing names it until all of it is there. */
  async #writeObjects(gathered: Map<string, GitObject>): Promise<void> {
    const objects = [...gathered.values()];
    gathered.clear();
    for (let next = 0; next < objects.length; next += atOnce)
      await Promise.all(objects.slice(next, next + atOnce).map((object) => this.#writeObject(object)));
  }

  async #writeObject(object: GitObject): Promise<void> {
    const path = join(this.#git, "objects", looseObjectPath(object.id));
    // They are small: a thread of its own would take longer.
    const content = deflateSync(looseObject(object), { level: 1 });
    const parent = dirname(path);
    if (!this.#folders.has(parent)) {
      await mkdir(parent, { recursive: true });
      this.#folders.add(parent);
    }
    await replaceFile(path, content);
  }
}

/** The refs of the blocks that a mirror has been told of; none when it cannot be read. */
export async function mirroredRefs(path: string): Promise<readonly string[] | undefined> {
  return (await readNote(path))?.refs;
}
