import type { Branded } from "./brand.ts";

/** Which vectors can be compared with each other: those of one model, one size, one version. */
export interface EmbeddingSpace {
  /** Such as `loci` or `openai`. */
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
  /** Changes whenever the same text would get another vector. */
  readonly version: string;
}

/** The text form of a space: equal exactly when the spaces are. */
export type EmbeddingSpaceId = Branded<string, "EmbeddingSpaceId">;

export function embeddingSpaceId(space: EmbeddingSpace): EmbeddingSpaceId {
  return JSON.stringify([space.provider, space.model, space.dimensions, space.version]) as EmbeddingSpaceId;
}

/** SHA-256 of a memory's text, as lower-case hex: what an embedding of record is kept under. */
export type ContentHash = Branded<string, "ContentHash">;
