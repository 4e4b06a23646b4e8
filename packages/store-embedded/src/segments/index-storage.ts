import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Sequence } from "@loci/domain";
import { ChangeLog } from "../storage/change-log.ts";
import { filesOf, makeIndexDirectory, removeStrayFiles, settleRemovals } from "../storage/index-files.ts";
import {
  checkOwner,
  type IndexOwner,
  type Manifest,
  manifestFormat,
  readManifest,
  type SegmentFiles,
  writeManifest,
} from "../storage/manifest.ts";
import { readSectionFile, sectionOf, writeSectionFile } from "../storage/section-file.ts";
import type { Payload, PayloadReader } from "./payload.ts";
import { RowSet } from "./row-set.ts";
import { type Segment, segmentReader } from "./segment.ts";

/** A segment, and where it is on the disk. */
export interface StoredSegment<Kind extends Payload> {
  readonly segment: Segment<Kind>;
  readonly file: string;
  /** The file of dead entries, and how many are in it. */
  dead: { readonly file: string; readonly entries: number } | undefined;
}

/** The log that the manifest names. */
export interface OpenLog {
  readonly file: string;
  readonly log: ChangeLog;
}

/** What an index consisted of when it was closed, or when its process ended. */
export interface FoundIndex<Kind extends Payload> {
  readonly stored: readonly StoredSegment<Kind>[];
  readonly log: string;
  /** How far the segments have come. */
  readonly checkpoint: Sequence;
}

/** The files of one index, and which of them count: those that its manifest names. */
export class IndexStorage<Kind extends Payload> {
  readonly #directory: string;
  readonly #reader: () => PayloadReader<Kind>;
  readonly #reportProblem: (error: unknown) => void;
  /** Whose rows they are, as far as it is known. */
  #owner: IndexOwner | undefined;
  #nextFile = 1;
  /** What the manifest names. A merge under way writes a file that it does not name yet. */
  #files: ReadonlySet<string> = new Set();
  #isManifestKnown = true;

  /**
   * @param owner whose rows they are to be. Default: whatever is there is taken for it
   * @param reportProblem told of files that could not be removed
   */
  constructor(
    directory: string,
    reader: () => PayloadReader<Kind>,
    owner: IndexOwner | undefined,
    reportProblem: (error: unknown) => void,
  ) {
    this.#directory = directory;
    this.#reader = reader;
    this.#owner = owner;
    this.#reportProblem = reportProblem;
  }

  /** False when writing the manifest failed: the old one may be on the disk, or the new one with another log. */
  get isManifestKnown(): boolean {
    return this.#isManifestKnown;
  }

  /**
   * Reads what is there, and removes what a crash has left.
   *
   * @returns `undefined` when there is no index
   * @throws LociError `DATA_DIRECTORY_CORRUPT` when it is damaged; else what the system threw
   */
  read(): FoundIndex<Kind> | undefined {
    const manifest = readManifest(this.#directory);
    this.#files = manifest === undefined ? new Set() : filesOf(manifest);
    removeStrayFiles(this.#directory, this.#files);
    if (manifest === undefined) return undefined;
    checkOwner(this.#directory, manifest, this.#owner);
    this.#owner ??= manifest.owner;
    this.#nextFile = manifest.nextFile;
    const { log, checkpoint } = manifest;
    return { stored: manifest.segments.map((files) => this.#readSegment(files)), log, checkpoint };
  }

  /** @param replay is handed its records in order */
  openLog(file: string, replay: (record: unknown) => void): OpenLog {
    return { file, log: ChangeLog.open(join(this.#directory, file), replay) };
  }

  /** Makes the directory of an index that has none, and an empty log. */
  async begin(checkpoint: Sequence): Promise<OpenLog> {
    await makeIndexDirectory(this.#directory);
    return this.beginLog([], checkpoint);
  }

  /** Begins an empty log and writes the manifest that names it. */
  async beginLog(stored: readonly StoredSegment<Kind>[], checkpoint: Sequence): Promise<OpenLog> {
    const file = this.#newFile("log");
    const log = ChangeLog.create(join(this.#directory, file));
    try {
      await this.#write(file, stored, checkpoint);
      return { file, log };
    } catch (error) {
      log.close();
      throw error;
    }
  }

  /**
   * Writes the manifest for the log that goes on. What segments call dead is so because of changes in the log: they are on
   * the disk before the manifest is.
   */
  async write({ file, log }: OpenLog, stored: readonly StoredSegment<Kind>[], checkpoint: Sequence): Promise<void> {
    await log.sync();
    await this.#write(file, stored, checkpoint);
  }

  /** Writes a segment, durably. It counts once a manifest names it. */
  async writeSegment(segment: Segment<Kind>): Promise<string> {
    const file = this.#newFile("segment");
    await writeSectionFile(join(this.#directory, file), segment.sections());
    return file;
  }

  /**
   * Removes what failed writes left, which may hold rows that are erased by now, and waits until no removed file can come
   * back. Not while a merge writes a file.
   */
  async removeLeftovers(stored: readonly StoredSegment<Kind>[]): Promise<void> {
    if (!this.#isManifestKnown) return;
    const inUse = stored.flatMap(({ file, dead }) => (dead === undefined ? [file] : [file, dead.file]));
    removeStrayFiles(this.#directory, new Set([...this.#files, ...inUse]));
    await settleRemovals(this.#directory);
  }

  #readSegment({ file, dead }: SegmentFiles): StoredSegment<Kind> {
    const path = join(this.#directory, file);
    const reader = segmentReader(this.#reader());
    const sections = readSectionFile(path, reader.memory);
    const segment = reader.finish(
      sections,
      path,
      dead === undefined ? undefined : readRowSet(join(this.#directory, dead)),
    );
    return { segment, file, dead: dead === undefined ? undefined : { file: dead, entries: segment.deadEntries } };
  }

  async #write(log: string, stored: readonly StoredSegment<Kind>[], checkpoint: Sequence): Promise<void> {
    for (const item of stored) await this.#writeDead(item);
    const segments = stored.map(({ file, dead }) => ({ file, dead: dead?.file }));
    const manifest: Manifest = {
      format: manifestFormat,
      nextFile: this.#nextFile,
      checkpoint,
      log,
      segments,
      owner: this.#owner,
    };
    this.#isManifestKnown = false;
    await writeManifest(this.#directory, manifest);
    this.#isManifestKnown = true;
    const before = this.#files;
    this.#files = filesOf(manifest);
    for (const file of before) if (!this.#files.has(file)) this.#removeFile(file);
  }

  async #writeDead(item: StoredSegment<Kind>): Promise<void> {
    const entries = item.segment.deadEntries;
    if (entries === (item.dead?.entries ?? 0)) return;
    const file = this.#newFile("dead");
    await writeSectionFile(join(this.#directory, file), new Map([["bits", item.segment.deadBits]]));
    item.dead = { file, entries };
  }

  /** One that cannot be removed is in nobody's way, and goes when the index is opened the next time. */
  #removeFile(file: string): void {
    try {
      rmSync(join(this.#directory, file), { force: true });
    } catch (error) {
      this.#reportProblem(error);
    }
  }

  #newFile(kind: string): string {
    return `${kind}-${this.#nextFile++}`;
  }
}

function readRowSet(path: string): RowSet {
  const sections = readSectionFile(path, () => undefined);
  return new RowSet(sectionOf(sections, "bits", path));
}
