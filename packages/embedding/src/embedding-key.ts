import { hash } from "node:crypto";
import { embeddingSpaceId, type EmbeddingSpace, type TenantId } from "@loci/domain";
import type { EmbeddingKind } from "./embedder.ts";

/** Bytes of a key. */
export const keyBytes = 32;

/**
 * The cache key of a text: SHA-256, as base64url, over tenant, space and kind as a JSON list, and then the text. The list
 * ends where JSON says so, so that no part of one can pass for a part of another. UTF-16 keeps even texts apart that
 * UTF-8 cannot tell.
 */
export function embeddingKeys(space: EmbeddingSpace, tenant: TenantId, kind: EmbeddingKind): (text: string) => string {
  const prefix = JSON.stringify([tenant, embeddingSpaceId(space), kind]);
  return (text) => hash("sha256", Buffer.from(prefix + text, "utf16le"), "base64url");
}
