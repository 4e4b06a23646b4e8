import { embeddingSpaceId, type EmbeddingSpaceId, type Ref, type TenantId } from "@loci/domain";
import type { Ledger, StoredMemory } from "@loci/ledger";
import {
  type CollectionId,
  collectionId,
  type TextIndex,
  type VectorCollection,
  type VectorStoreCapabilities,
} from "@loci/store";
import type { DeclaredMetadata } from "./declared-metadata.ts";
import { EmbeddingRepair } from "../embedding/embedding-repair.ts";
import { indexProjection } from "./index-projection.ts";
import { textChangeMaker, vectorChangeMaker } from "./index-changes.ts";
import type { ReportProblem } from "../calls/report-problem.ts";
import type { TextAnalyses } from "./text-analyses.ts";
import { type TenantEmbedder, TextEmbedding } from "../embedding/text-embedding.ts";
import { DrainedProjection } from "./drained-projection.ts";
import type { IndexProjections } from "./index-services.ts";
import { collectionNameOf, projectionNames } from "./index-record.ts";
import type { FollowingPlace } from "./index-contents.ts";
import type { IndexHistory } from "./index-history.ts";

/** What one embedding space takes: who embeds, and who embeds later what was stored without a vector. */
export interface SpaceServices {
  readonly embedder: TenantEmbedder;
  readonly embedding: TextEmbedding;
  /** Of the embedder. */
  readonly space: EmbeddingSpaceId;
  readonly repair: EmbeddingRepair;
}

/** One vector collection and one text index over the same log, and what keeps them up. */
export interface IndexSet extends SpaceServices {
  /** Where they are, and with which embedder: the names they are chosen by. */
  readonly place: string;
  readonly embedderName: string;
  readonly collection: CollectionId;
  readonly vectors: VectorCollection;
  readonly vectorCapabilities: VectorStoreCapabilities;
  readonly textIndex: TextIndex;
  readonly projections: IndexProjections;
  /** Of the place. Absent where nothing is noted. */
  readonly history: IndexHistory | undefined;
}

export interface OpenIndexSetOptions {
  readonly ledger: Ledger;
  readonly analyses: TextAnalyses;
  readonly metadata: DeclaredMetadata;
  /** In milliseconds. */
  readonly embeddingTimeLimit: number;
  readonly reportProblem: ReportProblem;
  readonly place: string;
  readonly opened: FollowingPlace;
  readonly embedderName: string;
  readonly embedder: TenantEmbedder;
  /** The text index's drainer, when another set of the same place runs it already. */
  readonly text?: DrainedProjection | undefined;
  /** What the embedder's space takes, when another set has it already. */
  readonly spaceServices?: SpaceServices | undefined;
}

/** Opens the collection of the embedder's space. Nothing runs before its projections are started. */
export async function openIndexSet(options: OpenIndexSetOptions): Promise<IndexSet> {
  const { ledger, analyses, metadata, reportProblem, opened, embedder, place, embedderName } = options;
  const { vectorStore, textIndex, checkContents } = opened;
  const space = embeddingSpaceId(embedder.space);
  const collection = collectionId(collectionNameOf(space));
  const isImmediate = vectorStore.capabilities.visibility === "immediate";
  const names = projectionNames(place, collection, opened.owners);
  const vectors = await vectorStore.openCollection(collection, embedder.space);
  const { embedding, repair } = options.spaceServices ?? spaceServices(options, space);
  return {
    place,
    embedderName,
    collection,
    vectors,
    vectorCapabilities: vectorStore.capabilities,
    textIndex,
    history: opened.history,
    embedder,
    embedding,
    space,
    repair,
    projections: {
      vectors: new DrainedProjection({
        ledger,
        reportProblem,
        projection: indexProjection({
          ledger,
          name: names.vectors,
          label: "vectors",
          index: vectors,
          makeChanges: vectorChangeMaker(ledger, space, metadata),
          isDurable: vectorStore.capabilities.durable,
          isImmediate,
          checkContents,
          count: (tenant) => vectors.count(tenant),
          mayBeMissing: (tenant, missing) => withoutEmbedding(ledger, { tenant, space }, missing),
        }),
      }),
      text:
        options.text ??
        new DrainedProjection({
          ledger,
          reportProblem,
          projection: indexProjection({
            ledger,
            name: names.text,
            label: "text",
            index: textIndex,
            makeChanges: textChangeMaker(ledger, analyses, metadata),
            isDurable: textIndex.durable,
            isImmediate,
            checkContents,
            count: async (tenant) => (await textIndex.statistics(tenant, [])).documents,
          }),
        }),
    },
  };
}

/** The memories that have no vector of the space, and so need no row among vectors. */
async function withoutEmbedding(
  ledger: Ledger,
  { tenant, space }: { readonly tenant: TenantId; readonly space: EmbeddingSpaceId },
  memories: readonly StoredMemory[],
): Promise<ReadonlySet<Ref>> {
  const hashes = [...new Set(memories.map(({ contentHash }) => contentHash))];
  const embedded = await ledger.embedded(tenant, space, hashes);
  return new Set(memories.filter(({ contentHash }) => !embedded.has(contentHash)).map(({ memory }) => memory.id));
}

function spaceServices(
  { ledger, embedder, embeddingTimeLimit, reportProblem }: OpenIndexSetOptions,
  space: EmbeddingSpaceId,
): Pick<SpaceServices, "embedding" | "repair"> {
  const embedding = new TextEmbedding(embedder, embeddingTimeLimit);
  return { embedding, repair: new EmbeddingRepair({ ledger, embedding, space, reportProblem }) };
}
