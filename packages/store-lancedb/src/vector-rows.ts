import { type Ref, type Sequence, type TenantId } from "@loci/domain";
import type { IndexChange } from "@loci/store";
import {
  Field,
  FixedSizeList,
  Float32,
  Float64,
  makeData,
  makeVector,
  Schema,
  type Table,
  type Vector,
} from "apache-arrow";
import { numberColumn } from "./column-vectors.ts";
import { changeRow, checkpointRow, indexFields, type IndexRow, indexTable, rowKey } from "./index-rows.ts";
import type { RefState } from "./latest-states.ts";

/** A memory has one row for each of its vectors, and at least one. All carry its fields, so that each can be found. */
interface VectorRow extends IndexRow {
  /** Which of the memory's vectors it is. The first row stands for the memory. */
  readonly place: number;
  /** How many rows the memory has, or had when it was deleted. */
  readonly places: number;
  readonly vector: Float32Array | null;
}

/** What the table holds of a ref. */
export interface VectorState extends RefState {
  readonly places: number;
}

export function vectorSchema(dimensions: number): Schema {
  return new Schema([
    ...indexFields,
    new Field("place", new Float64(), false),
    new Field("places", new Float64(), false),
    new Field("vector", vectorType(dimensions), true),
  ]);
}

/** Everything that applying changes writes. Places a memory no longer uses are emptied. */
export function vectorTable(
  tenant: TenantId,
  changes: Iterable<IndexChange>,
  held: ReadonlyMap<Ref, VectorState>,
  through: Sequence,
  dimensions: number,
): Table {
  const rows: VectorRow[] = [{ ...checkpointRow(tenant, through), place: 0, places: 0, vector: null }];
  for (const change of changes) {
    const vectors = change.type === "upsert" ? change.vectors : [];
    const row = changeRow(tenant, change);
    const places = Math.max(1, vectors.length);
    const earlier = held.get(change.ref)?.places ?? 0;
    for (let place = 0; place < Math.max(places, earlier); place++) {
      const key = place === 0 ? row.key : rowKey(tenant, change.ref, place);
      const isUsed = place < places;
      const used = isUsed ? row : { ...row, scope: null, fields: null };
      rows.push({ ...used, key, place, places: Math.max(places, earlier), vector: vectors[place] ?? null });
    }
  }
  return indexTable(vectorSchema(dimensions), rows, {
    place: numberColumn(rows.map(({ place }) => place)),
    places: numberColumn(rows.map(({ places }) => places)),
    vector: vectorColumn(rows, dimensions),
  });
}

function vectorColumn(rows: readonly VectorRow[], dimensions: number): Vector {
  const values = new Float32Array(rows.length * dimensions);
  const nullBitmap = new Uint8Array(Math.ceil(rows.length / 8));
  let nullCount = 0;
  for (const [index, { vector }] of rows.entries()) {
    if (vector === null) {
      nullCount++;
      continue;
    }
    values.set(vector, index * dimensions);
    nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7));
  }
  const child = makeData({ type: new Float32(), length: values.length, data: values });
  return makeVector(makeData({ type: vectorType(dimensions), length: rows.length, nullCount, nullBitmap, child }));
}

function vectorType(dimensions: number): FixedSizeList<Float32> {
  return new FixedSizeList(dimensions, new Field("item", new Float32(), true));
}
