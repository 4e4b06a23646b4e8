import type { Ref, ScopeText, Version } from "@loci/domain";
/** Vectors as they are read with what has changed, and whose they are: of several of a row one after the other. */
export interface ReadVectors {
  readonly refs: readonly Ref[];
  readonly versions: readonly Version[];
  readonly scopes: readonly ScopeText[];
  readonly areApart: readonly boolean[];
  /** The float32 values of all, high bytes first, in hexadecimal digits. */
  readonly vectors: string;
}

/** The float32 values of vectors as they are read. */
export function valuesOf(vectors: string): Float32Array {
  const bytes = new Uint8Array(vectors.length / 2);
  const written = Buffer.from(bytes.buffer);
  written.write(vectors, "hex");
  written.swap32();
  return new Float32Array(bytes.buffer);
}
