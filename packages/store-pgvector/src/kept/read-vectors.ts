import type { Ref, ScopeText, Version } from "@loci/domain";

/** Vectors as they are read, and whose they are: of several of a row one after the other. */
export interface ReadVectors {
  readonly refs: readonly Ref[];
  readonly versions: readonly Version[];
  readonly scopes: readonly ScopeText[];
  readonly areApart: readonly boolean[];
  /** The float32 values of all, high bytes first, as they are or in hexadecimal digits. */
  readonly vectors: Uint8Array | string;
}

/** Vectors of one scope in bytes, side by side: refs of 16 each, versions of 8, whether they lie apart of one, and values. */
export interface VectorBytes {
  readonly refs: Buffer;
  readonly versions: Buffer;
  readonly areApart: Buffer;
  readonly vectors: Buffer;
}

export function readVectorsOf(scope: ScopeText, { refs, versions, areApart, vectors }: VectorBytes): ReadVectors {
  const digits = refs.toString("hex");
  const all = <One>(one: (place: number) => One): readonly One[] =>
    Array.from({ length: areApart.length }, (_, place) => one(place));
  return {
    refs: all((place) => refOf(digits.slice(32 * place, 32 * (place + 1)))),
    versions: all((place) => Number(versions.readBigInt64BE(8 * place))),
    scopes: all(() => scope),
    areApart: all((place) => areApart[place] === 1),
    vectors,
  };
}

function refOf(digits: string): Ref {
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)];
  return parts.join("-") as Ref;
}

/** The float32 values of vectors as they are read. */
export function valuesOf(vectors: Uint8Array | string): Float32Array {
  const bytes = new Uint8Array(typeof vectors === "string" ? vectors.length / 2 : vectors.length);
  const written = Buffer.from(bytes.buffer);
  if (typeof vectors === "string") written.write(vectors, "hex");
  else written.set(vectors);
  written.swap32();
  return new Float32Array(bytes.buffer);
}
