import type { EmbeddingSpaceId } from "@loci/domain";
import type { Ledger } from "@loci/ledger";
import type { TextIndex, VectorCollection, VectorStoreCapabilities } from "@loci/store";
import type { ThreadTurns } from "../calls/thread-turns.ts";
import type { TenantEmbedder, TextEmbedding } from "../embedding/text-embedding.ts";
import type { DeclaredMetadata } from "./declared-metadata.ts";
import type { DrainedProjection } from "./drained-projection.ts";
import type { TextAnalyses } from "./text-analyses.ts";

export interface IndexProjections {
  readonly vectors: DrainedProjection;
  readonly text: DrainedProjection;
}

/** The indexes in use, and what their rows are made with. Changes as a whole when the indexes move. */
export interface IndexServices {
  readonly ledger: Ledger;
  readonly vectors: VectorCollection;
  readonly vectorCapabilities: VectorStoreCapabilities;
  readonly textIndex: TextIndex;
  /** What keeps the two up with the log. */
  readonly indexes: IndexProjections;
  /** What is kept up with the log besides them. */
  readonly otherProjections: readonly DrainedProjection[];
  readonly embedder: TenantEmbedder;
  readonly embedding: TextEmbedding;
  /** Of the embedder. */
  readonly space: EmbeddingSpaceId;
  readonly analyses: TextAnalyses;
  /** What filters can ask for. */
  readonly metadata: DeclaredMetadata;
  /** Work of milliseconds waits for its turn here. */
  readonly thread: ThreadTurns;
}
