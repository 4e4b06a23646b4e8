import { type EmbeddingSpace, embeddingSpaceId, LociError, shownValue } from "@loci/domain";
import type { CollectionId, VectorStoreCapabilities } from "./vector-store.ts";

const collectionIdPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** @throws LociError `INVALID_IDENTIFIER` unless it is 1 to 64 letters, digits, `-` and `_` */
export function collectionId(value: string): CollectionId {
  if (typeof value === "string" && collectionIdPattern.test(value)) return value as CollectionId;
  throw new LociError("INVALID_IDENTIFIER", {
    message: `${shownValue(value)} cannot name a collection.`,
    field: "collection",
    advice: "Use 1 to 64 letters, digits, - and _.",
  });
}

/** @throws LociError `INVALID_REQUEST` for dimensions that no vector has, `UNSUPPORTED_OPERATION` for too many */
export function checkSpace(space: EmbeddingSpace, capabilities: VectorStoreCapabilities): void {
  const { dimensions } = space;
  if (!Number.isSafeInteger(dimensions) || dimensions < 1)
    throw new LociError("INVALID_REQUEST", {
      message: `The embedding space has ${String(dimensions)} dimensions.`,
      field: "space.dimensions",
      advice: "Pass the space of an embedder.",
    });
  if (dimensions > capabilities.maxDimensions)
    throw new LociError("UNSUPPORTED_OPERATION", {
      message: `The embedding space has ${dimensions} dimensions, but the store holds at most ${capabilities.maxDimensions}.`,
      field: "space.dimensions",
      advice: "Use a model with fewer dimensions, or another store.",
    });
}

/** @throws LociError `EMBEDDING_SPACE_MISMATCH` when a collection was made for another space than it is opened with */
export function checkSameSpace(id: CollectionId, made: EmbeddingSpace, asked: EmbeddingSpace): void {
  const [madeId, askedId] = [embeddingSpaceId(made), embeddingSpaceId(asked)];
  if (madeId === askedId) return;
  throw new LociError("EMBEDDING_SPACE_MISMATCH", {
    message: `The collection ${id} holds vectors of ${madeId}, not of ${askedId}.`,
    resource: id,
    advice: "Open it with the model it was made with, or embed again into a new collection.",
  });
}
