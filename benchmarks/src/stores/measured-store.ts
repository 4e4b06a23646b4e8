import { join } from "node:path";
import type { Ref } from "@loci/domain";
import type { IndexChoice } from "@loci/loci";
import type { TextIndex, VectorStore } from "@loci/store";
import { openEmbeddedStore } from "@loci/store-embedded";
import { openLanceStore } from "@loci/store-lancedb";
import { openMemoryTextIndex, openMemoryVectorStore } from "@loci/store-memory";
import { openPgvectorStore } from "@loci/store-pgvector";
import { openPineconeStore } from "@loci/store-pinecone";
import { numberOf } from "../data/clustered-changes.ts";
import type { ClusteredData } from "../data/clustered-loci.ts";

export const storeKinds = ["memory", "embedded", "lancedb", "pgvector", "pgvector-hnsw", "pinecone"] as const;
export type StoreKind = (typeof storeKinds)[number];

/** Where a store keeps its rows: a folder, and the server if it has one. */
export interface StorePlace {
  readonly directory: string;
  readonly connectionString?: string | undefined;
  readonly pinecone?: { readonly apiKey: string; readonly controllerUrl: string } | undefined;
}

export interface MeasuredStore {
  readonly vectorStore: VectorStore;
  readonly textIndex: TextIndex;
  close(): Promise<void>;
}

/** Above this many selected rows pgvector's graph is asked: always. By default it is above 20,000. */
const graphRows = 1;

export async function openMeasuredStore(
  kind: StoreKind,
  place: StorePlace,
  data: ClusteredData,
): Promise<MeasuredStore> {
  const { directory, connectionString = "", pinecone } = place;
  const exactVectors = async ({ rows }: { readonly rows: readonly { readonly ref: Ref }[] }) =>
    new Map(rows.map(({ ref }): [Ref, readonly Float32Array[]] => [ref, [data.file.read(numberOf(ref), 1)]]));
  switch (kind) {
    case "memory":
      return together(openMemoryVectorStore(), openMemoryTextIndex());
    case "embedded":
      return openEmbeddedStore({ directory, exactVectors });
    case "lancedb":
      return openLanceStore({ directory });
    case "pgvector":
      return openPgvectorStore({ connectionString });
    case "pgvector-hnsw":
      return openPgvectorStore({ connectionString, index: "hnsw", exactRows: graphRows });
    case "pinecone": {
      const words = await openEmbeddedStore({ directory, exactVectors });
      return together(openPineconeStore({ apiKey: "", ...pinecone }), words.textIndex, () => words.close());
    }
  }
}

/** The same store as Loci opens it, in a place of its own. */
export function indexChoiceOf(kind: StoreKind, { connectionString = "", pinecone }: StorePlace): IndexChoice {
  switch (kind) {
    case "pgvector":
      return { kind, connectionString, schema: "moved" };
    case "pgvector-hnsw":
      return { kind: "pgvector", connectionString, schema: "moved", index: "hnsw", exactRows: graphRows };
    case "pinecone":
      return { kind, apiKey: "", ...pinecone, prefix: "moved" };
    default:
      return kind;
  }
}

/** Where it keeps its files. */
export function placeOf(kind: StoreKind, folder: string): StorePlace {
  return { directory: join(folder, `store-${kind}`) };
}

function together(
  vectorStore: VectorStore,
  textIndex: TextIndex,
  closeText: () => Promise<void> = () => textIndex.close(),
): MeasuredStore {
  return {
    vectorStore,
    textIndex,
    close: async () => {
      await vectorStore.close();
      await closeText();
    },
  };
}
