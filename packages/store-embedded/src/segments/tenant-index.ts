import { LociError, type Ref, type Sequence } from "@loci/domain";
import { removeIndex } from "../storage/index-files.ts";
import type { IndexOwner } from "../storage/manifest.ts";
import { toStorageError } from "../storage/storage-error.ts";
import type { IndexHead } from "./index-head.ts";
import type { RowChange } from "./index-row.ts";
import { IndexRows, type Place } from "./index-rows.ts";
import { IndexStorage, type OpenLog, type StoredSegment } from "./index-storage.ts";
import { mergeableRun } from "./merge-plan.ts";
import { mergeSegments } from "./merge-segments.ts";
import { Pace } from "./pace.ts";
import type { HeadIndex, IndexKind, Payload } from "./payload.ts";
import { Segment } from "./segment.ts";
import { WorkQueue } from "./work-queue.ts";

/** When the head goes into a segment however few rows it has: replaying its log at the next start stays short. */
const logBytes = 64 * 1024 * 1024;

/**
 * When an index that was closed with segments still to merge goes on with them. Not at once: a program that is over in a
 * moment would begin a long merge every time it runs, and never finish.
 */
const millisecondsToLeftMerge = 5_000;

export interface TenantIndexSettings {
  /** Rows and tombstones after which the head goes into a segment. */
  readonly maxHeadRows: number;
  /**
   * Changes up to which an index that has no files gets none: it is in memory alone, and empty when it is opened again. A
   * long text counts as several. Default 0.
   */
  readonly maxUnfiledChanges?: number | undefined;
  /** Told of damage that was found and of background work that failed. */
  readonly reportProblem: (error: LociError) => void;
  /** What else is found there is not this index: it begins again. Default: whatever is there is taken for it. */
  readonly owner?: IndexOwner | undefined;
}

interface LogRecord<Content> {
  readonly through: Sequence;
  readonly changes: readonly RowChange<Content>[];
}

/**
 * One index of one tenant: immutable segments, and a log with the changes since. Everything search looks at changes in
 * one turn of the event loop, after it is in the log. Segments wait for the disk, the log does not: when the power fails
 * the index stands further back, as it was then, and the ledger brings the rest.
 */
export class TenantIndex<Content, Kind extends Payload, Head extends HeadIndex<Content>> {
  readonly #directory: string;
  readonly #kind: IndexKind<Content, Kind, Head>;
  readonly #settings: TenantIndexSettings;
  readonly #storage: IndexStorage<Kind>;
  /** What changes head, log, manifest and dead entries. */
  readonly #writes = new WorkQueue();
  /**
   * Merges, one after the other, whoever asked for them. Each chooses its segments when its turn comes, so that no two
   * ever take the same ones; only merges take segments away.
   */
  readonly #merges = new WorkQueue();
  readonly #stop = new AbortController();
  readonly #leftMerge: NodeJS.Timeout;
  #rows: IndexRows<Content, Kind, Head>;
  #log: OpenLog | undefined;
  #flushedThrough: Sequence = 0;
  #checkpoint: Sequence = 0;
  /** Of the changes taken while it has no files. */
  #unfiledWeight = 0;

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
    this.#storage = new IndexStorage(directory, kind.reader, settings.owner, (error) => this.#report(error));
    this.#rows = new IndexRows(kind);
    try {
      this.#open();
    } catch (error) {
      const problem = toStorageError(error, directory);
      if (problem.reason !== "DATA_DIRECTORY_CORRUPT") throw problem;
      removeIndex(directory);
      this.#rows = new IndexRows(kind);
      this.#checkpoint = 0;
      this.#flushedThrough = 0;
      settings.reportProblem(problem);
    }
    this.#leftMerge = setTimeout(() => this.#mergeInBackground(), millisecondsToLeftMerge).unref();
  }

  /** Applied, and visible to search. */
  get checkpoint(): Sequence {
    return this.#checkpoint;
  }

  get segments(): readonly Segment<Kind>[] {
    return this.#rows.stored.map(({ segment }) => segment);
  }

  get head(): IndexHead<Content, Head> {
    return this.#rows.head;
  }

  get liveRows(): number {
    return this.#rows.liveRows;
  }

  /** Rows and tombstones that are in memory alone: what is lost when it is closed. */
  get unfiledRows(): number {
    return this.#log === undefined ? this.head.size : 0;
  }

  /** True while nothing is being written, so that it can be closed at once. */
  get isIdle(): boolean {
    return this.#writes.isEmpty && this.#merges.isEmpty;
  }

  /**
   * @param after where it has to stand at least
   * @throws LociError `DISK_FULL`, `STORE_UNAVAILABLE`: nothing was applied then
   */
  async apply(changes: readonly RowChange<Content>[], through: Sequence, after: Sequence = 0): Promise<void> {
    await this.#writes.run(async () => {
      this.#throwIfStopped();
      if (through < this.#checkpoint) return;
      if (after > this.#checkpoint) throw standsBefore(this.#directory, this.#checkpoint, after);
      const record: LogRecord<Content> = { through, changes };
      if (!this.#staysUnfiled(changes)) await this.#append(record);
      this.#take(record);
    });
    if (this.head.size >= this.#settings.maxHeadRows || (this.#log?.log.bytes ?? 0) >= logBytes)
      this.#flushInBackground();
  }

  /** Puts everything into one segment without what was dead by then, and leaves no other file. All of it is on the disk. */
  async compact(): Promise<void> {
    await this.#merges.run(async () => {
      await this.#writes.run(async () => {
        this.#throwIfStopped();
        await this.#flush();
      });
      const { stored } = this.#rows;
      const isCompact = stored.length <= 1 && stored.every(({ segment }) => segment.deadEntries === 0);
      if (!isCompact) await this.#merge(stored);
      await this.#writes.run(async () => {
        if (!this.#stop.signal.aborted) await this.#storage.removeLeftovers(this.#rows.stored);
      });
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
    return this.#rows.find(ref);
  }

  /** As `find`, of a ref in bytes. */
  findPacked(refs: Uint8Array, offset: number): Place<Content, Kind> | undefined {
    return this.#rows.findPacked(refs, offset);
  }

  #open(): void {
    const found = this.#storage.read();
    if (found === undefined) return;
    this.#rows.load(found.stored);
    this.#flushedThrough = found.checkpoint;
    this.#checkpoint = found.checkpoint;
    this.#log = this.#storage.openLog(found.log, (record) => this.#take(record as LogRecord<Content>));
  }

  /** Few changes need no files: bringing them again takes less than four files for every tenant that once said something. */
  #staysUnfiled(changes: readonly RowChange<Content>[]): boolean {
    const { maxUnfiledChanges = 0 } = this.#settings;
    if (this.#log !== undefined || maxUnfiledChanges === 0) return false;
    for (const change of changes)
      this.#unfiledWeight += change.scope === undefined ? 1 : this.#kind.weight(change.content);
    return this.#unfiledWeight <= maxUnfiledChanges;
  }

  async #append(record: LogRecord<Content>): Promise<void> {
    this.#log ??= await this.#beginFiles();
    // What is appended to a log that the manifest does not name would be lost.
    if (!this.#storage.isManifestKnown) await this.#storage.write(this.#log, this.#rows.stored, this.#flushedThrough);
    this.#log.log.append(record);
  }

  /** Begins the log of an index without files, with what it has in memory. */
  async #beginFiles(): Promise<OpenLog> {
    const begun = await this.#storage.begin(0);
    try {
      const changes = this.head.changes();
      if (this.#checkpoint > 0) begun.log.append({ through: this.#checkpoint, changes } satisfies LogRecord<Content>);
      return begun;
    } catch (error) {
      begun.log.close();
      throw error;
    }
  }

  #take({ changes, through }: LogRecord<Content>): void {
    for (const change of changes) this.#rows.take(change);
    this.#checkpoint = through;
  }

  #flushInBackground(): void {
    this.#writes
      .run(async () => {
        if (!this.#stop.signal.aborted) await this.#flush();
      })
      .then(() => this.#mergeInBackground())
      .catch((error: unknown) => this.#report(error));
  }

  /** Turns the head into a segment and begins a new log. Runs in the queue of writes. */
  async #flush(): Promise<void> {
    const before = this.#log;
    if (before === undefined || before.log.isEmpty) return;
    const { head, stored } = this.#rows;
    const all = [...stored];
    if (head.size > 0) {
      const segment = Segment.make(head.rows(), head.tombstones(), this.#kind.make);
      all.push({ segment, file: await this.#storage.writeSegment(segment), dead: undefined });
    }
    this.#log = await this.#storage.beginLog(all, this.#checkpoint);
    this.#rows.beginHead(all);
    this.#flushedThrough = this.#checkpoint;
    before.log.close();
  }

  #mergeInBackground(): void {
    if (this.#stop.signal.aborted) return;
    this.#merges
      .run(async () => {
        const run = mergeableRun(this.#rows.stored);
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
    const file = await this.#storage.writeSegment(segment);
    await this.#writes.run(async () => {
      this.#throwIfStopped();
      for (const [index, source] of sources.entries())
        for (const [entry, newEntry] of (entryMaps[index] as Int32Array).entries())
          if (newEntry >= 0 && source.isDead(entry)) this.#rows.kill(segment, newEntry);
      const merged = { segment, file, dead: undefined };
      const stored = this.#rows.stored.flatMap((item) =>
        item === run[0] ? [merged] : run.includes(item) ? [] : [item],
      );
      await this.#storage.write(this.#log as OpenLog, stored, this.#flushedThrough);
      this.#rows.replaceSegments(stored);
    });
  }

  #throwIfStopped(): void {
    this.#stop.signal.throwIfAborted();
  }

  #report(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#settings.reportProblem(toStorageError(error, this.#directory));
  }
}

function standsBefore(directory: string, checkpoint: Sequence, after: Sequence): LociError {
  return new LociError("STORE_UNAVAILABLE", {
    message: `The index stands at ${checkpoint}, and the changes begin after ${after}. Nothing of the call was applied.`,
    resource: directory,
    advice: "Ask where it stands, and bring what is missing.",
  });
}
