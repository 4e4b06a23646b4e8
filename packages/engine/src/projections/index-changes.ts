import type { CallOptions, ContentHash, EmbeddingSpaceId, NonEmpty, TenantId } from "@loci/domain";
import { type Change, type Ledger, type LogEntry, memoryChangeOf } from "@loci/ledger";
import type { IndexChange, TermFrequencies } from "@loci/store";
import type { DeclaredMetadata } from "./declared-metadata.ts";
import { latestStates, type LatestState } from "./latest-states.ts";
import type { TextAnalyses } from "./text-analyses.ts";
import { TextPace } from "../calls/text-pace.ts";

/** Turns a stretch of the log into what one index has to do, one change for each memory. */
export type IndexChangeMaker = (
  tenant: TenantId,
  entries: readonly LogEntry[],
  call: CallOptions,
) => Promise<readonly IndexChange[]>;

const embeddingRecorded: Change["type"] = "embeddingRecorded";
const noTerms: TermFrequencies = new Map();

/** Rows with the embeddings of record, and without terms, which vector collections ignore. */
export function vectorChangeMaker(
  ledger: Ledger,
  space: EmbeddingSpaceId,
  metadata: DeclaredMetadata,
): IndexChangeMaker {
  return async (tenant, entries, call) => {
    // A vector of another space is no news here.
    const relevant = entries.filter((entry) => {
      const change = memoryChangeOf(entry);
      return change?.type !== "embeddingRecorded" || change.space === space;
    });
    const states = [...(await latestStates(ledger, tenant, relevant, call)).values()];
    const hashes = new Set<ContentHash>();
    for (const state of states) if (state.memory !== undefined) hashes.add(state.contentHash);
    const embeddings =
      hashes.size === 0
        ? new Map<ContentHash, NonEmpty<Float32Array>>()
        : await ledger.embeddings(tenant, space, [...hashes], call);
    return states.map((state) =>
      indexChangeOf(state, metadata, (hash) => ({ vectors: embeddings.get(hash) ?? [], terms: noTerms })),
    );
  };
}

/** Rows with their terms, and without vectors, which text indexes ignore. Recorded embeddings change nothing here. */
export function textChangeMaker(ledger: Ledger, analyses: TextAnalyses, metadata: DeclaredMetadata): IndexChangeMaker {
  return async (tenant, entries, call) => {
    const written = entries.filter(({ kind }) => kind !== embeddingRecorded);
    const states = await latestStates(ledger, tenant, written, call);
    const pace = new TextPace();
    const made: IndexChange[] = [];
    for (const state of states.values()) {
      if (state.memory !== undefined && pace.isDue(state.memory.text)) await pace.rest();
      made.push(indexChangeOf(state, metadata, (hash, text) => ({ vectors: [], terms: analyses.of(hash, text) })));
    }
    return made;
  };
}

function indexChangeOf(
  state: LatestState,
  metadata: DeclaredMetadata,
  content: (hash: ContentHash, text: string) => { vectors: readonly Float32Array[]; terms: TermFrequencies },
): IndexChange {
  const { ref, version, memory } = state;
  if (memory === undefined) return { type: "delete", ref, version };
  return {
    type: "upsert",
    ref,
    version,
    scope: memory.scope,
    fields: metadata.indexFieldsOf(memory),
    ...content(state.contentHash, memory.text),
  };
}
