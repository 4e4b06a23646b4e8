import { isConversationTurn, type RecallCandidate, termCount } from "@loci/core";
import { type CallOptions, type ContentHash, formatScope, type Ref, type TenantId } from "@loci/domain";
import type { StoredMemory } from "@loci/ledger";
import type { TextHit } from "@loci/store";
import type { SearchQuery } from "./candidate-search.ts";
import type { SourcePlace } from "./candidate-source.ts";
import type { IndexServices } from "../projections/index-services.ts";
import type { Overlay } from "../projections/overlay.ts";
import type { SearchServices } from "../projections/searched-indexes.ts";
import type { FoundRow } from "./found-rows.ts";
import { nearnessOf } from "./nearness.ts";

export interface ResolvedCandidates {
  readonly tenant: TenantId;
  readonly resolved: readonly StoredMemory[];
  /** What the search said of them, in their order. */
  readonly rows: readonly (FoundRow | undefined)[];
  readonly query: Pick<SearchQuery, "terms" | "vectors">;
  readonly overlay: Overlay;
  /** Words that were counted before. Given, those of other rows are counted in their texts: no index is asked any more. */
  readonly counted?: readonly TextHit[] | undefined;
}

/**
 * Adds to resolved memories what scores are made of: cosines and term frequencies, from the overlay, from the indexes, or
 * from the ledger's text and embedding where an index has another version. So it makes no difference what found them.
 *
 * Candidates of which the search knows the cosines, or what they are at most, are left unread.
 */
export async function completeCandidates(
  services: SearchServices,
  { tenant, resolved, rows, query, overlay, counted }: ResolvedCandidates,
  call: { readonly signal: AbortSignal },
): Promise<readonly RecallCandidate[]> {
  if (resolved.length === 0) return [];
  const { terms } = query.terms;
  // What an approximate store says of nearness found the candidate; scores must not depend on which store that was.
  const isExact = services.vectorCapabilities.similarity === "exact";
  const isUnread = (row: FoundRow | undefined, { memory }: StoredMemory): boolean =>
    isExact && row?.version === memory.version && isComplete(row.cosines);
  const unanswered: Ref[] = [];
  const read: StoredMemory[] = [];
  for (let index = 0; index < resolved.length; index++) {
    const stored = resolved[index] as StoredMemory;
    const { id: ref } = stored.memory;
    // The words of a text that was analysed lately are at hand, and no index has to be woken.
    if (rows[index]?.words === undefined && !overlay.refs.has(ref) && !services.analyses.has(stored.contentHash))
      unanswered.push(ref);
    if (!isUnread(rows[index], stored)) read.push(stored);
  }
  const [hits, embeddings] = await Promise.all([
    counted ?? (unanswered.length === 0 ? [] : services.textIndex.frequencies(tenant, unanswered, terms, call)),
    readEmbeddings(services, tenant, read, call),
  ]);
  const hitsByRef = new Map(hits.map((hit) => [hit.ref, hit]));
  const nearness = await nearnessByText(services, { tenant, embeddings, query }, call.signal);
  return resolved.map((stored, index) => {
    const { memory, contentHash } = stored;
    const row = rows[index];
    const text = textOf(services, stored, row?.words ?? hitsByRef.get(memory.id), terms);
    if (row !== undefined && isUnread(row, stored)) return new CompletedCandidate(stored, text, row);
    const cosines = nearness.get(contentHash);
    return new CompletedCandidate(stored, text, { cosines, vectors: embeddings.get(contentHash) ?? [] });
  });
}

type KnownOfCandidate = Pick<RecallCandidate, "memory" | "usage" | "recordedAt" | "foundByTag" | "lastRecalledAt">;
type WordsOfCandidate = Pick<RecallCandidate, "frequencies" | "length">;
/** Without vectors it is unread, and the cosines are as a search has them. */
type MeaningOfCandidate = Pick<FoundRow, "cosines" | "isUnfound"> & Pick<RecallCandidate, "vectors">;

/** One of hundreds at once, read or not, and so of a class: see decision 85. */
class CompletedCandidate implements RecallCandidate {
  readonly memory: RecallCandidate["memory"];
  readonly usage: RecallCandidate["usage"];
  readonly recordedAt: RecallCandidate["recordedAt"];
  readonly frequencies: RecallCandidate["frequencies"];
  readonly length: number;
  readonly cosines: RecallCandidate["cosines"];
  readonly vectors: RecallCandidate["vectors"];
  readonly isUnread: boolean;
  readonly mayLackVector: RecallCandidate["mayLackVector"];
  readonly foundByTag: RecallCandidate["foundByTag"];
  readonly lastRecalledAt: RecallCandidate["lastRecalledAt"];

  constructor(
    { memory, usage, recordedAt, foundByTag, lastRecalledAt }: KnownOfCandidate,
    { frequencies, length }: WordsOfCandidate,
    { cosines = [], isUnfound, vectors }: MeaningOfCandidate,
  ) {
    this.memory = memory;
    this.usage = usage;
    this.recordedAt = recordedAt;
    this.frequencies = frequencies;
    this.length = length;
    this.cosines = cosines;
    this.vectors = vectors;
    this.isUnread = vectors === undefined;
    this.mayLackVector = vectors === undefined && isUnfound === true;
    this.foundByTag = foundByTag;
    this.lastRecalledAt = lastRecalledAt;
  }
}

export interface UnreadCandidates {
  readonly tenant: TenantId;
  readonly candidates: readonly RecallCandidate[];
  readonly wanted: ReadonlySet<Ref>;
  /** What the candidates stand for, in their order. */
  readonly resolved: readonly StoredMemory[];
  readonly query: Pick<SearchQuery, "vectors">;
}

/** Reads the vectors of those among the candidates that are asked for and unread. */
export async function readCandidates(
  services: SearchServices,
  { tenant, candidates, wanted, resolved, query }: UnreadCandidates,
  call: { readonly signal: AbortSignal },
): Promise<readonly RecallCandidate[]> {
  const stored: StoredMemory[] = [];
  const places: number[] = [];
  for (let place = 0; place < candidates.length; place++) {
    const { isUnread, memory } = candidates[place] as RecallCandidate;
    if (isUnread !== true || !wanted.has(memory.id)) continue;
    places.push(place);
    stored.push(resolved[place] as StoredMemory);
  }
  const embeddings = await readEmbeddings(services, tenant, stored, call);
  const nearness = await nearnessByText(services, { tenant, embeddings, query }, call.signal);
  const read = [...candidates];
  for (let index = 0; index < places.length; index++) {
    const place = places[index] as number;
    const { contentHash } = stored[index] as StoredMemory;
    const vectors = embeddings.get(contentHash) ?? [];
    const cosines = nearness.get(contentHash) ?? [];
    const candidate = candidates[place] as RecallCandidate;
    read[place] = new CompletedCandidate(candidate, candidate, { cosines, vectors });
  }
  return read;
}

function readEmbeddings(
  { ledger, space }: Pick<IndexServices, "ledger" | "space">,
  tenant: TenantId,
  stored: readonly StoredMemory[],
  call: CallOptions,
): Promise<ReadonlyMap<ContentHash, readonly Float32Array[]>> | ReadonlyMap<ContentHash, readonly Float32Array[]> {
  if (stored.length === 0) return new Map();
  return ledger.embeddings(tenant, space, [...new Set(stored.map(({ contentHash }) => contentHash))], call);
}

interface ComparedTexts {
  readonly tenant: TenantId;
  readonly embeddings: ReadonlyMap<ContentHash, readonly Float32Array[]>;
  readonly query: Pick<SearchQuery, "vectors">;
}

/** What `nearnessOf` says of each text. */
async function nearnessByText(
  { thread }: Pick<SearchServices, "thread">,
  { tenant, embeddings, query }: ComparedTexts,
  signal: AbortSignal,
): Promise<ReadonlyMap<ContentHash, readonly number[]>> {
  if (embeddings.size === 0) return new Map();
  const asked = { tenant, queryVectors: query.vectors, signal };
  const nearness = await nearnessOf(thread, asked, [...embeddings.values()]);
  return new Map([...embeddings.keys()].map((hash, index) => [hash, nearness[index] ?? []]));
}

/** The places just before and after turns of conversations, without those that are there already. */
export function neighbouringPlaces(resolved: readonly StoredMemory[]): readonly SourcePlace[] {
  const turns = resolved.flatMap(({ memory }) => {
    const { scope, provenance } = memory;
    if (provenance?.position === undefined || !isConversationTurn(memory)) return [];
    // No identifier holds a line break.
    return [{ source: `${formatScope(scope)}\n${provenance.sourceId}`, ...provenance, position: provenance.position }];
  });
  const known = new Set(turns.map(({ source, position }) => `${source}\n${position}`));
  const places = new Map<string, SourcePlace>();
  for (const { source, sourceId, position } of turns)
    for (const place of [position - 1, position + 1])
      if (place >= 0 && !known.has(`${source}\n${place}`))
        places.set(`${sourceId}\n${place}`, { sourceId, position: place });
  return [...places.values()];
}

function isComplete(cosines: FoundRow["cosines"]): cosines is readonly number[] {
  return cosines !== undefined && cosines.every((cosine) => cosine !== undefined);
}

function textOf(
  services: Pick<IndexServices, "analyses">,
  { memory, contentHash }: StoredMemory,
  hit: TextHit | undefined,
  terms: readonly string[],
): { readonly frequencies: readonly number[]; readonly length: number } {
  if (hit?.version === memory.version) return hit;
  const ofText = services.analyses.of(contentHash, memory.text);
  return { frequencies: terms.map((term) => ofText.get(term) ?? 0), length: termCount(ofText) };
}
