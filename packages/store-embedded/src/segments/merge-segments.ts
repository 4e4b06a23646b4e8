import type { ScopeText } from "@loci/domain";
import { FieldColumnsBuilder } from "./field-columns-builder.ts";
import type { Pace } from "./pace.ts";
import type { MergePart, Payload } from "./payload.ts";
import { refBytes } from "./ref-bytes.ts";
import { RefTable } from "./ref-table.ts";
import { compare, type RowRange, Segment } from "./segment.ts";

export interface MergedSegment<Kind extends Payload> {
  readonly segment: Segment<Kind>;
  /** For each source the new entry of every old one, or -1. */
  readonly entryMaps: readonly Int32Array[];
}

/** Makes one segment of several, leaving out what is dead now. Long work, cut into steps. */
export async function mergeSegments<Kind extends Payload>(
  sources: readonly Segment<Kind>[],
  mergePayload: (parts: readonly MergePart<Kind>[], rows: number, pace: Pace) => Promise<Kind>,
  pace: Pace,
): Promise<MergedSegment<Kind>> {
  const entryMaps = sources.map(({ refs }) => new Int32Array(refs.size).fill(-1));
  const scopes = new Map<ScopeText, RowRange>();
  let rows = 0;
  for (const scope of scopesOf(sources)) {
    const start = rows;
    for (const [index, source] of sources.entries()) {
      const range = source.scopes.get(scope);
      if (range === undefined) continue;
      const entryMap = entryMaps[index] as Int32Array;
      for (let row = range.start; row < range.end; row++) if (!source.isDead(row)) entryMap[row] = rows++;
      if (pace.isPauseDue()) await pace.pause();
    }
    if (rows > start) scopes.set(scope, { start, end: rows });
  }
  let entries = rows;
  for (const [index, source] of sources.entries()) {
    const entryMap = entryMaps[index] as Int32Array;
    for (let entry = source.rows; entry < entryMap.length; entry++)
      if (!source.isDead(entry)) entryMap[entry] = entries++;
  }
  const fields = new FieldColumnsBuilder(rows);
  const parts: MergePart<Kind>[] = [];
  for (const [index, source] of sources.entries()) {
    const rowMap = (entryMaps[index] as Int32Array).subarray(0, source.rows);
    fields.addFrom(source.fields, rowMap);
    parts.push({ payload: source.payload, rowMap });
    await pace.pause();
  }
  const refs = await mergeRefs(sources, entryMaps, entries, pace);
  const payload = await mergePayload(parts, rows, pace);
  return { segment: new Segment({ rows, scopes, refs, fields: fields.finish(), payload }), entryMaps };
}

function scopesOf(sources: readonly Segment<Payload>[]): readonly ScopeText[] {
  return [...new Set(sources.flatMap(({ scopes }) => [...scopes.keys()]))].toSorted(compare);
}

async function mergeRefs(
  sources: readonly Segment<Payload>[],
  entryMaps: readonly Int32Array[],
  entries: number,
  pace: Pace,
): Promise<RefTable> {
  const refs = new Uint8Array(entries * refBytes);
  const refWords = new Uint32Array(refs.buffer);
  const versions = new Float64Array(entries);
  for (const [index, source] of sources.entries()) {
    const entryMap = entryMaps[index] as Int32Array;
    for (let entry = 0; entry < entryMap.length; entry++) {
      if (pace.isPauseDue()) await pace.pause();
      const newEntry = entryMap[entry] as number;
      if (newEntry < 0) continue;
      source.refs.copyRef(entry, refWords, newEntry);
      versions[newEntry] = source.refs.version(entry);
    }
  }
  return RefTable.make(refs, versions);
}
