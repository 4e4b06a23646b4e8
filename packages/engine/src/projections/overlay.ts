import { termCount } from "@loci/core";
import {
  type Bm25Statistics,
  type ContentHash,
  type EmbeddingSpaceId,
  formatScope,
  type MemoryRecord,
  type NonEmpty,
  type Ref,
  type ScopeText,
  type Sequence,
  type TenantId,
  throwIfAborted,
  type Version,
} from "@loci/domain";
import { type Ledger, type LogEntry, memoriesFamily } from "@loci/ledger";
import type { IndexFields, TermFrequencies, TextHit, TextStatistics } from "@loci/store";
import type { DeclaredMetadata } from "./declared-metadata.ts";
import type { Call } from "../calls/call.ts";
import { keepPlace, knownPlace } from "./known-places.ts";
import { latestStates } from "./latest-states.ts";
import type { IndexProjections } from "./index-services.ts";
import type { SearchedIndexes } from "./searched-indexes.ts";
import type { TextAnalyses } from "./text-analyses.ts";
import { TextPace } from "../calls/text-pace.ts";
import type { ThreadTurns } from "../calls/thread-turns.ts";
import { pause } from "../calls/pause.ts";

/** A row that the indexes will hold once they have caught up. */
export interface OverlayRow {
  readonly ref: Ref;
  readonly version: Version;
  readonly scope: ScopeText;
  readonly fields: IndexFields;
  readonly vectors: readonly Float32Array[];
  readonly terms: TermFrequencies;
  /** Terms, repetitions counted. */
  readonly length: number;
}

/** What the indexes have not seen yet: it takes the place of whatever they say about these memories. */
export interface Overlay {
  /** Every memory that changed after the checkpoint, those that were removed too. */
  readonly refs: ReadonlySet<Ref>;
  /** Those of them that have a row. */
  readonly rows: ReadonlyMap<Ref, OverlayRow>;
  /** True when more changes were waiting than can be scanned: the latest of them are not in here. */
  readonly isIncomplete: boolean;
}

export interface OverlaySources {
  readonly ledger: Ledger;
  readonly vectors: SearchedIndexes["vectors"];
  readonly textIndex: SearchedIndexes["textIndex"];
  readonly space: EmbeddingSpaceId;
  readonly analyses: TextAnalyses;
  readonly metadata: DeclaredMetadata;
  readonly thread: ThreadTurns;
  readonly indexes: IndexProjections;
}

/** Most changes that are scanned. With more, recall waits for the indexes. */
export const maxOverlayChanges = 2_000;

const statisticsAttempts = 5;
const waitStep = 10;
const noOverlay: Overlay = { refs: new Set(), rows: new Map(), isIncomplete: false };

/** The overlay, and the statistics the text index will have once it has caught up. */
export interface OverlaidIndex {
  readonly overlay: Overlay;
  readonly statistics: Bm25Statistics;
}

/** What has happened to memories since the indexes were last asked where they stand. */
export interface LatestChanges {
  /** Where they stood. They may have gone back since: `readOverlay` tells. */
  readonly after: Sequence;
  readonly changes: readonly LogEntry[];
}

/** `undefined` where the indexes were not asked before. */
export async function readLatestChanges(
  { ledger, indexes }: Pick<OverlaySources, "ledger" | "indexes">,
  tenant: TenantId,
  signal: AbortSignal,
): Promise<LatestChanges | undefined> {
  const after = knownPlace(indexes, tenant);
  return after === undefined ? undefined : { after, changes: await changesAfter(ledger, tenant, after, signal) };
}

export interface OverlayRequest {
  /** Whose statistics are wanted. */
  readonly terms: readonly string[];
  /** Milliseconds to wait for the indexes when more than 2,000 changes are waiting. */
  readonly longestWait: number;
  /** What has been read. Absent: it is read at the same time as where the indexes stand. */
  readonly latest?: LatestChanges | undefined;
}

/** Reads the changes of memories after the checkpoint of the index that is furthest behind. */
export async function readOverlay(
  sources: OverlaySources,
  { principal: { tenant }, signal }: Pick<Call, "principal" | "signal">,
  { terms, longestWait, latest }: OverlayRequest,
): Promise<OverlaidIndex> {
  const waitUntil = performance.now() + longestWait;
  let { changes, statistics, places } = await changesAhead(sources, tenant, { terms, latest }, signal);
  // An index that is behind is being drained. Saying so again brings back a drainer that has missed its call.
  if (changes.length > 0) wakeDrainers(sources, tenant, places);
  while (changes.length > maxOverlayChanges && performance.now() < waitUntil) {
    await pause(waitStep, signal);
    throwIfAborted(signal);
    ({ changes, statistics, places } = await changesAhead(sources, tenant, { terms }, signal));
  }
  if (changes.length === 0) return { overlay: noOverlay, statistics };
  const isIncomplete = changes.length > maxOverlayChanges;
  const seen = changes.slice(0, maxOverlayChanges);
  const rows = await overlayRows(sources, tenant, seen, signal);
  const overlay: Overlay = { ...rows, isIncomplete };
  const replaced = { overlay, changes: seen, terms, statistics };
  return { overlay, statistics: await overlaidStatistics(sources, tenant, replaced, signal) };
}

/**
 * The memories of which an index may have a row that stands at a place in the log: all but those that were written for the first
 * time behind it.
 */
function refsWithRows(changes: readonly LogEntry[], place: Sequence): readonly Ref[] {
  const isNew = new Map<Ref, boolean>();
  for (const { ref, kind, version, sequence } of changes)
    if (!isNew.has(ref)) isNew.set(ref, kind === "memoryWritten" && version === 1 && sequence > place);
  return [...isNew].flatMap(([ref, isFirst]) => (isFirst ? [] : [ref]));
}

interface ReplacedRows {
  readonly overlay: Overlay;
  /** That the overlay was made of. */
  readonly changes: readonly LogEntry[];
  readonly terms: readonly string[];
  /** As they were when the changes were read. */
  readonly statistics: TextStatistics;
}

/** The statistics of the text index without the rows that the overlay replaces, and with those it has. */
async function overlaidStatistics(
  { textIndex }: OverlaySources,
  tenant: TenantId,
  { overlay, changes, terms, ...known }: ReplacedRows,
  signal: AbortSignal,
): Promise<Bm25Statistics> {
  const call = { signal };
  let { statistics } = known;
  for (let attempt = 1; ; attempt++) {
    // Most of what is not indexed yet is new: then nothing of it has to be looked up in an index that is busy with it.
    const refs = refsWithRows(changes, statistics.checkpoint);
    if (refs.length === 0) return replaceRows(statistics, [], [...overlay.rows.values()], terms);
    const replaced = await textIndex.frequencies(tenant, refs, terms, call);
    const now = await textIndex.statistics(tenant, terms, call);
    // Both reads must be of one state, or a row would be counted twice or not at all.
    if (now.checkpoint === statistics.checkpoint || attempt === statisticsAttempts)
      return replaceRows(statistics, replaced, [...overlay.rows.values()], terms);
    statistics = now;
  }
}

function replaceRows(
  statistics: Bm25Statistics,
  replaced: readonly TextHit[],
  rows: readonly OverlayRow[],
  terms: readonly string[],
): Bm25Statistics {
  const documents = statistics.documents - replaced.length + rows.length;
  let { totalLength } = statistics;
  const documentFrequencies = [...statistics.documentFrequencies];
  const count = (place: number, change: number): void => {
    documentFrequencies[place] = (documentFrequencies[place] ?? 0) + change;
  };
  for (const { length, frequencies } of replaced) {
    totalLength -= length;
    for (const [place, frequency] of frequencies.entries()) if (frequency > 0) count(place, -1);
  }
  for (const row of rows) {
    totalLength += row.length;
    for (const [place, term] of terms.entries()) if (row.terms.has(term)) count(place, 1);
  }
  // An index that never stood still while it was read may count a row twice; no formula must see more than there are.
  const possible = (found: number): number => Math.min(Math.max(found, 0), documents);
  return { documents, totalLength, documentFrequencies: documentFrequencies.map(possible) };
}

interface ChangesAhead {
  readonly changes: readonly LogEntry[];
  readonly statistics: TextStatistics;
  /** Where each index stands. */
  readonly places: { readonly vectors: Sequence; readonly text: Sequence };
}

/** What happened to memories after the checkpoints, and the statistics of the text index as it was then, or later. */
async function changesAhead(
  { ledger, vectors, textIndex, indexes }: OverlaySources,
  tenant: TenantId,
  { terms, latest }: Pick<OverlayRequest, "terms" | "latest">,
  signal: AbortSignal,
): Promise<ChangesAhead> {
  const [checkpoint, statistics, seen] = await Promise.all([
    vectors.checkpoint(tenant),
    textIndex.statistics(tenant, terms, { signal }),
    latest ?? readLatestChanges({ ledger, indexes }, tenant, signal),
  ]);
  const through = Math.min(checkpoint, statistics.checkpoint);
  keepPlace(indexes, tenant, through);
  // Of an index that began again, or that is far ahead of where it was known to be, they are not all there.
  const isWhole = seen !== undefined && seen.after <= through && seen.changes.length <= maxOverlayChanges;
  const changes = isWhole
    ? seen.changes.filter(({ sequence }) => sequence > through)
    : await changesAfter(ledger, tenant, through, signal);
  return { changes, statistics, places: { vectors: checkpoint, text: statistics.checkpoint } };
}

/** More of them than are scanned at most by one. */
function changesAfter(
  ledger: Ledger,
  tenant: TenantId,
  place: Sequence,
  signal: AbortSignal,
): Promise<readonly LogEntry[]> {
  return ledger.changes(tenant, place, maxOverlayChanges + 1, { families: [memoriesFamily], signal });
}

function wakeDrainers({ indexes }: OverlaySources, tenant: TenantId, { vectors, text }: ChangesAhead["places"]): void {
  indexes.vectors.drainer.wake(tenant, { seen: vectors });
  indexes.text.drainer.wake(tenant, { seen: text });
}

async function overlayRows(
  { ledger, space, analyses, metadata, thread }: OverlaySources,
  tenant: TenantId,
  changes: readonly LogEntry[],
  signal: AbortSignal,
): Promise<Pick<Overlay, "refs" | "rows">> {
  const states = await latestStates(ledger, tenant, changes, { signal });
  const written: { readonly memory: MemoryRecord; readonly contentHash: ContentHash }[] = [];
  for (const state of states.values()) if (state.memory !== undefined) written.push(state);
  const hashes = [...new Set(written.map(({ contentHash }) => contentHash))];
  const embeddings: ReadonlyMap<ContentHash, NonEmpty<Float32Array>> = hashes.length === 0
    ? new Map()
    : await ledger.embeddings(tenant, space, hashes, { signal });
  const rows = new Map<Ref, OverlayRow>();
  const pace = new TextPace(() => thread.next(tenant, signal));
  for (const { memory, contentHash } of written) {
    if (pace.isDue(memory.text)) await pace.rest();
    const terms = analyses.of(contentHash, memory.text);
    rows.set(memory.id, {
      ref: memory.id,
      version: memory.version,
      scope: formatScope(memory.scope),
      fields: metadata.indexFieldsOf(memory),
      vectors: embeddings.get(contentHash) ?? [],
      terms,
      length: termCount(terms),
    });
  }
  return { refs: new Set(states.keys()), rows };
}
