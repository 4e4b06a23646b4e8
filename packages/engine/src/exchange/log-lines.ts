import type { ExportedPart } from "@loci/domain";
import {
  blockFamily,
  blockSchemaFamily,
  captureFamily,
  editFamily,
  evidenceFamily,
  type Family,
  sessionFamily,
  turnStateFamily,
} from "@loci/ledger";
import { blockLines, editLines, schemaLines } from "./block-lines.ts";
import { captureLines } from "./capture-lines.ts";
import { evidenceLines } from "./evidence-lines.ts";
import type { LinesOf } from "./line-source.ts";
import { sessionLines, turnStateLines } from "./session-lines.ts";

/**
 * The families of each part that are exported from the log. Of the others `captureDue` says what is still to be done, `review` stands
 * in the lines of memories, and `blockOwner` is made of blocks.
 */
export const linesOfFamilies: Readonly<Record<ExportedPart, ReadonlyMap<Family, LinesOf>>> = {
  memories: new Map(),
  blocks: new Map([
    [blockSchemaFamily, schemaLines],
    [blockFamily, blockLines],
    [editFamily, editLines],
  ]),
  sessions: new Map([
    [sessionFamily, sessionLines],
    [turnStateFamily, turnStateLines],
  ]),
  captures: new Map<Family, LinesOf>([
    [captureFamily, captureLines],
    [evidenceFamily, evidenceLines],
  ]),
};
