import type { IndexKind } from "../segments/payload.ts";
import { makeTextPayload, mergeTextPayloads } from "./build-postings.ts";
import type { TextContent } from "./text-content.ts";
import { TextHead } from "./text-head.ts";
import { TextPayload } from "./text-payload.ts";

/** A paragraph. */
const termsOfOrdinaryRow = 100;

/** How a text index keeps its rows. */
export const textKind: IndexKind<TextContent, TextPayload, TextHead> = {
  newHead: () => new TextHead(),
  weight: ({ length }) => Math.ceil((length + 1) / termsOfOrdinaryRow),
  make: (rows) => makeTextPayload(rows.map(({ content }) => content)),
  merge: mergeTextPayloads,
  reader: () => TextPayload.reader(),
  rowDied: (payload, row) => payload.rowDied(row),
};
