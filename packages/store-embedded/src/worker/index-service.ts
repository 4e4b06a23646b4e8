import { SentRowsBuilder } from "../segments/sent-rows-builder.ts";
import type { RowChange } from "../segments/index-row.ts";
import type { TextContent } from "../text/text-content.ts";
import { checkRoom } from "../vectors/check-room.ts";
import { quantiseVector } from "../vectors/quantise.ts";
import type { VectorContent } from "../vectors/vector-content.ts";
import type { OpenIndexes } from "./open-indexes.ts";
import type { IndexOperation, SentChange, SentRows } from "./protocol.ts";
import { textFrequencies, textStatistics, type TextTenantIndex } from "./search-texts.ts";
import type { VectorIndex } from "./search-vectors.ts";

type Apply = Extract<IndexOperation, { type: "apply" }>;

/**
 * Does what the calling thread asks for, at once where nothing has to be waited for.
 *
 * @param checkpoint called during long searches; throws when the call is over
 */
export function perform(
  indexes: OpenIndexes,
  operation: Exclude<IndexOperation, { type: "searchVectors" | "searchTexts" }>,
  checkpoint: () => void,
): unknown {
  switch (operation.type) {
    case "apply":
      return apply(indexes, operation);
    case "checkpoint":
      return indexes.any(operation.address).checkpoint;
    case "count":
      return indexes.any(operation.address).liveRows;
    case "refs":
      return liveRows(indexes.any(operation.address));
    case "frequencies":
      return textFrequencies(indexes.texts(operation.address), operation.refs, operation.terms);
    case "statistics":
      return textStatistics(indexes.texts(operation.address), operation.terms);
    case "compact":
      return indexes.compact(operation, operation.everyTenant, checkpoint);
    case "reset":
      return indexes.reset(operation.address);
    case "drop":
      return indexes.drop(operation.name);
    case "close":
      return indexes.close();
  }
}

async function apply(indexes: OpenIndexes, { address, changes, values, through, after }: Apply): Promise<void> {
  if (address.dimensions === undefined)
    return indexes.texts(address).apply(
      changes.map((change) => rowChange(change, textContent(change))),
      through,
      after,
    );
  const { dimensions } = address;
  const index = indexes.vectors(address);
  const held = index.segments.reduce((sum, { payload }) => sum + payload.memory.capacity, index.head.index.vectors);
  checkRoom(dimensions, held, values.length / dimensions);
  let used = 0;
  const contents = changes.map(({ vectors = 0 }): VectorContent =>
    Array.from({ length: vectors }, () => quantiseVector(values.subarray(used, (used += dimensions)))),
  );
  return index.apply(
    changes.map((change, place) => rowChange(change, contents[place] as VectorContent)),
    through,
    after,
  );
}

function rowChange<Content>(change: SentChange, content: Content): RowChange<Content> {
  const { ref, version, scope, fields = {} } = change;
  return scope === undefined ? { ref, version } : { ref, version, scope, fields, content };
}

function textContent({ terms = new Map<string, number>() }: SentChange): TextContent {
  let length = 0;
  for (const frequency of terms.values()) length += frequency;
  return { terms, length };
}

function liveRows(index: VectorIndex | TextTenantIndex): SentRows {
  const rows = new SentRowsBuilder(index.liveRows);
  for (const change of index.head.rows()) rows.addChange(change);
  for (const segment of index.segments)
    for (let row = 0; row < segment.rows; row++) if (!segment.isDead(row)) rows.addEntry(segment.refs, row);
  return rows.finish();
}
