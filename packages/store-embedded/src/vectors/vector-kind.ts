import type { IndexKind } from "../segments/payload.ts";
import type { VectorContent } from "./vector-content.ts";
import { VectorHead } from "./vector-head.ts";
import { VectorPayload } from "./vector-payload.ts";

export type VectorKind = IndexKind<VectorContent, VectorPayload, VectorHead>;

/** How an index of vectors of so many dimensions keeps its rows. */
export function vectorKind(dimensions: number): VectorKind {
  return {
    newHead: () => new VectorHead(dimensions),
    weight: (vectors) => Math.max(1, vectors.length),
    make: (rows) =>
      VectorPayload.make(
        dimensions,
        rows.map(({ content }) => content),
      ),
    merge: (parts, rows, pace) => VectorPayload.merge(dimensions, parts, rows, pace),
    reader: () => VectorPayload.reader(dimensions),
  };
}
