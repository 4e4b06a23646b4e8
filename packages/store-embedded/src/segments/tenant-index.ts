import { rmSync } from "node:fs";
import { join } from "node:path";
import { LociError, type Ref, type Sequence, type Version } from "@loci/domain";
import { ChangeLog } from "../storage/change-log.ts";
import { filesOf, makeIndexDirectory, removeIndex, removeStrayFiles } from "../storage/index-files.ts";
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
import { toStorageError } from "../storage/storage-error.ts";
import { IndexHead } from "./index-head.ts";
import type { RowChange } from "./index-row.ts";
import { mergeableRun } from "./merge-plan.ts";
import { mergeSegments } from "./merge-segments.ts";
import { Pace } from "./pace.ts";
import type { HeadIndex, IndexKind, Payload } from "./payload.ts";
import { packRef, refBytes, unpackRef } from "./ref-bytes.ts";
import { RowSet } from "./row-set.ts";
import { Segment, segmentReader } from "./segment.ts";
import { WorkQueue } from "./work-queue.ts";

/** When the head goes into a segment however few rows it has: replaying its log at the next start stays short. */
const logBytes = 64 * 1024 * 1024;

/**
 * When an index that was closed with segments still to merge goes on with them. Not at once: a program that is over in a
 * moment would begin a long merge every time it runs, and never finish.
 */
const millisecondsToLeftMerge = 5_000;

/** The ref that is looked for just now, as every segment compares it. */
const askedBytes = new Uint8Array(refBytes);
const askedWords = new Uint32Array(askedBytes.buffer);

export interface TenantIndexSettings {
  /** Rows and tombstones after which the head goes into a segment. */
  readonly maxHeadRows: number;
  /** Told of damage that was found and of background work that failed. */
  readonly reportProblem: (error: LociError) => void;
  /** What else is found there is not this index: it begins again. Default: whatever is there is taken for it. */
  readonly owner?: IndexOwner | undefined;
}

interface LogRecord<Content> {
  readonly through: Sequence;
  readonly changes: readonly RowChange<Content>[];
}

interface StoredSegment<Kind extends Payload> {
  readonly segment: Segment<Kind>;
  readonly file: string;
  /** The file of dead entries, and how many are in it. */
  dead: { readonly file: string; readonly entries: number } | undefined;
}

/** Where an entry that is not dead is found. */
type Place<Content, Kind extends Payload> =
  | { readonly change: RowChange<Content> }
  | { readonly segment: Segment<Kind>; readonly entry: number };

/**
 * One index of one tenant: immutable segments, and a log with the changes since. Everything search looks at changes in
 * one turn of the event loop, after it is durable.
 */
export class TenantIndex<Content, Kind extends Payload, Head extends HeadIndex<Content>> {
  readonly #directory: string;
  readonly #kind: IndexKind<Content, Kind, Head>;
  readonly #settings: TenantIndexSettings;
  /** Whose rows they are, as far as it is known. */
  #owner: IndexOwner | undefined;
  /** What changes head, log, manifest and dead entries. */
  readonly #writes = new WorkQueue();
  /**
   * Merges, one after the other, whoever asked for them. Each chooses its segments when its turn comes, so that no two
   * ever take the same ones; only merges take segments away.
   */
  readonly #merges = new WorkQueue();
  readonly #stop = new AbortController();
  #stored: readonly StoredSegment<Kind>[] = [];
  #head: IndexHead<Content, Head>;
  #log: { readonly file: string; readonly log: ChangeLog } | undefined;
  #flushedThrough: Sequence = 0;
  #checkpoint: Sequence = 0;
  #nextFile = 1;
  /** What the manifest names. A merge under way writes a file that it does not name yet. */
  #files: ReadonlySet<string> = new Set();
  /** False when writing the manifest failed: the old one may be on the disk, or the new one with another log. */
  #isManifestKnown = true;
  readonly #leftMerge: NodeJS.Timeout;

  /**
   * Opens the index, or begins an empty one; nothing is written before the first `apply`. What is damaged is removed,
   * so that the index begins again at checkpoint 0, and reported; what a former format holds is removed without a word.
   *
   * @throws LociError when the files cannot be read, which says nothing about what is in them
   */
  constructor(directory: string, kind: IndexKind<Content, Kind, Head>, settings: TenantIndexSettings) {
    this.#directory = directory;
    this.#kind = kind;
    this.#settings = settings;
    this.#owner = settings.owner;
    this.#head = new IndexHead(kind.newHead());
    try {
      this.#open();
    } catch (error) {
      const problem = toStorageError(error, directory);
      this.#log?.log.close();
      if (problem.reason !== "DATA_DIRECTORY_CORRUPT") throw problem;
      removeIndex(directory);
      this.#stored = [];
      this.#head = new IndexHead(kind.newHead());
      this.#log = undefined;
      this.#checkpoint = 0;
      this.#flushedThrough = 0;
      settings.reportProblem(problem);
    }
    this.#leftMerge = setTimeout(() => this.#mergeInBackground(), millisecondsToLeftMerge).unref();
  }

  /** Durable, and visible to search. */
  get checkpoint(): Sequence {
    return this.#checkpoint;
  }

  get segments(): readonly Segment<Kind>[] {
    return this.#stored.map(({ segment }) => segment);
  }

  get head(): IndexHead<Content, Head> {
    return this.#head;
  }

  get liveRows(): number {
    return this.#stored.reduce((sum, { segment }) => sum + segment.liveRows, this.#head.liveRows);
  }

  /** True while nothing is being written, so that it can be closed at once. */
  get isIdle(): boolean {
    return this.#writes.isEmpty && this.#merges.isEmpty;
  }

  /** @throws LociError `DISK_FULL`, `STORE_UNAVAILABLE`: nothing was applied then */
  async apply(changes: readonly RowChange<Content>[], through: Sequence): Promise<void> {
    await this.#writes.run(async () => {
      this.#throwIfStopped();
      if (through < this.#checkpoint) return;
      const { log, file } = (this.#log ??= await this.#begin());
      // What is appended to a log that the manifest does not name would be lost.
      if (!this.#isManifestKnown) await this.#writeManifest(file, this.#stored, this.#flushedThrough);
      await log.append({ through, changes } satisfies LogRecord<Content>);
      this.#take(changes, through);
    });
    if (this.#head.size >= this.#settings.maxHeadRows || (this.#log?.log.bytes ?? 0) >= logBytes)
      this.#flushInBackground();
  }

  /** Puts everything into one segment without what was dead by then, and leaves no other file. */
  async compact(): Promise<void> {
    await this.#merges.run(async () => {
      await this.#writes.run(async () => {
        this.#throwIfStopped();
        await this.#flush();
      });
      const isCompact = this.#stored.length <= 1 && this.#stored.every(({ segment }) => segment.deadEntries === 0);
      if (!isCompact) await this.#merge(this.#stored);
      await this.#writes.run(async () => this.#removeStrayFiles());
    });
    // What was applied meanwhile may be enough for a merge of its own.
    this.#mergeInBackground();
  }

  /** Stops merging, waits for what is being written, and lets go of the files. */
  async close(): Promise<void> {
    clearTimeout(this.#leftMerge);
    this.#stop.abort(new LociError("CLOSED", { message: "The index is closed.", advice: "Open it again." }));
    await this.#merges.run(async () => this.#writes.run(async () => this.#log?.log.close()));
  }

  /** The place of the row or tombstone of a ref that counts. */
  find(ref: Ref): Place<Content, Kind> | undefined {
    const change = this.#head.find(ref);
    if (change !== undefined) return { change };
    return packRef(ref, askedBytes, 0) ? this.#findAsked() : undefined;
  }

  /** As `find`, of a ref in bytes. */
  findPacked(refs: Uint8Array, offset: number): Place<Content, Kind> | undefined {
    for (let at = 0; at < refBytes; at++) askedBytes[at] = refs[offset + at] as number;
    // What a change of the head supersedes is dead, so that it does not matter where is looked first.
    const place = this.#findAsked();
    if (place !== undefined || this.#head.size === 0) return place;
    const change = this.#head.find(unpackRef(refs, offset));
    return change === undefined ? undefined : { change };
  }

  /** In the segments: the oldest have most rows. */
  #findAsked(): Place<Content, Kind> | undefined {
    for (const { segment } of this.#stored) {
      const entry = segment.find(askedWords);
      if (entry >= 0) return { segment, entry };
    }
    return undefined;
  }

  #open(): void {
    const manifest = readManifest(this.#directory);
    this.#files = manifest === undefined ? new Set() : filesOf(manifest);
    removeStrayFiles(this.#directory, this.#files);
    if (manifest === undefined) return;
    checkOwner(this.#directory, manifest, this.#owner);
    this.#owner ??= manifest.owner;
    this.#nextFile = manifest.nextFile;
    this.#flushedThrough = manifest.checkpoint;
    this.#checkpoint = manifest.checkpoint;
    this.#stored = manifest.segments.map((files) => this.#readSegment(files));
    const log = ChangeLog.open(join(this.#directory, manifest.log), (record) => {
      const { changes, through } = record as LogRecord<Content>;
      this.#take(changes, through);
    });
    this.#log = { file: manifest.log, log };
  }

  #readSegment({ file, dead }: SegmentFiles): StoredSegment<Kind> {
    const path = join(this.#directory, file);
    const reader = segmentReader(this.#kind.reader());
    const sections = readSectionFile(path, reader.memory);
    const rows = dead === undefined ? undefined : readRowSet(join(this.#directory, dead));
    const segment = reader.finish(sections, path, rows);
    for (let row = 0; row < segment.rows; row++) if (segment.isDead(row)) this.#kind.rowDied?.(segment.payload, row);
    return { segment, file, dead: dead === undefined ? undefined : { file: dead, entries: segment.deadEntries } };
  }

  /** Makes the directory and an empty log. */
  async #begin(): Promise<{ file: string; log: ChangeLog }> {
    await makeIndexDirectory(this.#directory);
    return this.#beginLog(this.#stored);
  }

  /** Begins an empty log and writes the manifest that names it. */
  async #beginLog(stored: readonly StoredSegment<Kind>[]): Promise<{ file: string; log: ChangeLog }> {
    const file = this.#newFile("log");
    const log = ChangeLog.create(join(this.#directory, file));
    try {
      await this.#writeManifest(file, stored, this.#checkpoint);
      return { file, log };
    } catch (error) {
      log.close();
      throw error;
    }
  }

  #take(changes: readonly RowChange<Content>[], through: Sequence): void {
    for (const change of changes) this.#takeChange(change);
    this.#checkpoint = through;
  }

  #takeChange(change: RowChange<Content>): void {
    const place = this.find(change.ref);
    if (place !== undefined) {
      const { version, isTombstone } = stateOf(place);
      // A row gives way to its own version, as when its vector comes later; a tombstone only to a newer one.
      if (change.version < version || (isTombstone && change.version === version)) return;
      if ("segment" in place) this.#kill(place.segment, place.entry);
    }
    this.#head.put(change);
  }

  #kill(segment: Segment<Kind>, entry: number): void {
    if (segment.kill(entry) && !segment.isTombstone(entry)) this.#kind.rowDied?.(segment.payload, entry);
  }

  #flushInBackground(): void {
    this.#writes
      .run(async () => {
        if (!this.#stop.signal.aborted) await this.#flush();
      })
      .then(() => this.#mergeInBackground())
      .catch((error: unknown) => this.#report(error));
  }

  /** Turns the head into a segment and begins a new log. Runs in the queue. */
  async #flush(): Promise<void> {
    const before = this.#log;
    if (before === undefined || before.log.bytes === 0) return;
    const head = this.#head;
    const stored = [...this.#stored];
    if (head.size > 0) {
      const segment = Segment.make(head.rows(), head.tombstones(), this.#kind.make);
      stored.push({ segment, file: await this.#writeSegment(segment), dead: undefined });
    }
    this.#log = await this.#beginLog(stored);
    this.#stored = stored;
    this.#head = new IndexHead(this.#kind.newHead());
    this.#flushedThrough = this.#checkpoint;
    before.log.close();
  }

  #mergeInBackground(): void {
    if (this.#stop.signal.aborted) return;
    this.#merges
      .run(async () => {
        const run = mergeableRun(this.#stored);
        if (run.length === 0 || this.#stop.signal.aborted) return;
        await this.#merge(run);
        // One at a time, so that whoever waits to compact has a turn in between.
        this.#mergeInBackground();
      })
      .catch((error: unknown) => this.#report(error));
  }

  /** Replaces neighbouring segments by one. Runs in the queue of merges; the long part beside `apply` and search. */
  async #merge(run: readonly StoredSegment<Kind>[]): Promise<void> {
    const sources = run.map(({ segment }) => segment);
    const { segment, entryMaps } = await mergeSegments(sources, this.#kind.merge, new Pace(this.#stop.signal));
    const file = await this.#writeSegment(segment);
    await this.#writes.run(async () => {
      this.#throwIfStopped();
      for (const [index, source] of sources.entries())
        for (const [entry, newEntry] of (entryMaps[index] as Int32Array).entries())
          if (newEntry >= 0 && source.isDead(entry)) this.#kill(segment, newEntry);
      const merged = { segment, file, dead: undefined };
      const stored = this.#stored.flatMap((item) => (item === run[0] ? [merged] : run.includes(item) ? [] : [item]));
      const log = this.#log?.file as string;
      await this.#writeManifest(log, stored, this.#flushedThrough);
      this.#stored = stored;
    });
  }

  async #writeSegment(segment: Segment<Kind>): Promise<string> {
    const file = this.#newFile("segment");
    await writeSectionFile(join(this.#directory, file), segment.sections());
    return file;
  }

  async #writeManifest(log: string, stored: readonly StoredSegment<Kind>[], checkpoint: Sequence): Promise<void> {
    for (const item of stored) {
      const entries = item.segment.deadEntries;
      if (entries === (item.dead?.entries ?? 0)) continue;
      const file = this.#newFile("dead");
      await writeSectionFile(join(this.#directory, file), new Map([["bits", item.segment.deadBits]]));
      item.dead = { file, entries };
    }
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

  /** One that cannot be removed is in nobody's way, and goes when the index is opened the next time. */
  #removeFile(file: string): void {
    try {
      rmSync(join(this.#directory, file), { force: true });
    } catch (error) {
      this.#report(error);
    }
  }

  #newFile(kind: string): string {
    return `${kind}-${this.#nextFile++}`;
  }

  /** What failed writes left holds rows that may be erased by now. Not while a merge writes a file. */
  #removeStrayFiles(): void {
    if (!this.#isManifestKnown || this.#stop.signal.aborted) return;
    const inUse = this.#stored.flatMap(({ file, dead }) => (dead === undefined ? [file] : [file, dead.file]));
    removeStrayFiles(this.#directory, new Set([...this.#files, ...inUse]));
  }

  #throwIfStopped(): void {
    this.#stop.signal.throwIfAborted();
  }

  #report(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#settings.reportProblem(toStorageError(error, this.#directory));
  }
}

function stateOf<Content>(place: Place<Content, Payload>): { version: Version; isTombstone: boolean } {
  if ("change" in place) return { version: place.change.version, isTombstone: place.change.scope === undefined };
  const { segment, entry } = place;
  return { version: segment.refs.version(entry), isTombstone: segment.isTombstone(entry) };
}

function readRowSet(path: string): RowSet {
  return new RowSet(
    sectionOf(
      readSectionFile(path, () => undefined),
      "bits",
      path,
    ),
  );
}
