import {
  Bool,
  type DataType,
  Field,
  Float64,
  Int32,
  List,
  makeData,
  makeVector,
  Map_,
  Struct,
  Utf8,
  type Data,
  type Vector,
} from "apache-arrow";

/**
 * Columns made of whole arrays. Arrow's own builders take a value at a time, and text through an encoder that makes an array of
 * each: most of the time in this process that writing a batch took.
 */

export const textList: List<Utf8> = new List(new Field("item", new Utf8(), true));
export const countList: List<Int32> = new List(new Field("item", new Int32(), true));

export function numberColumn(values: readonly number[]): Vector {
  return makeVector(numberData(values));
}

export function textColumn(values: readonly (string | null)[]): Vector {
  return makeVector(textData(values));
}

export function textListColumn(lists: readonly (readonly string[] | null)[]): Vector {
  return makeVector(makeData({ type: textList, ...listParts(lists), child: textData(joined(lists)) }));
}

export function countListColumn(lists: readonly (readonly number[] | null)[]): Vector {
  const values = Int32Array.from(joined(lists));
  const child = makeData({ type: new Int32(), length: values.length, data: values });
  return makeVector(makeData({ type: countList, ...listParts(lists), child }));
}

export function textMapColumn(maps: readonly (ReadonlyMap<string, string> | null)[]): Vector {
  return mapColumn(maps, new Utf8(), textData);
}

export function numberMapColumn(maps: readonly (ReadonlyMap<string, number> | null)[]): Vector {
  return mapColumn(maps, new Float64(), numberData);
}

export function flagMapColumn(maps: readonly (ReadonlyMap<string, boolean> | null)[]): Vector {
  return mapColumn(maps, new Bool(), flagData);
}

/** The type of a map from names to values. */
export function mapOf(values: DataType): Map_ {
  return new Map_(new Field("entries", entryOf(values), false));
}

function mapColumn<Value>(
  maps: readonly (ReadonlyMap<string, Value> | null)[],
  type: DataType,
  dataOf: (values: readonly Value[]) => Data,
): Vector {
  const entries = maps.map((map) => (map === null ? null : [...map]));
  const all = joined(entries);
  const children = [textData(all.map(([name]) => name)), dataOf(all.map(([, value]) => value))];
  const child = makeData({ type: entryOf(type), length: all.length, nullCount: 0, children });
  return makeVector(makeData({ type: mapOf(type), ...listParts(entries), child }));
}

function entryOf(values: DataType): Struct<{ key: Utf8; value: DataType }> {
  return new Struct<{ key: Utf8; value: DataType }>([
    new Field("key", new Utf8(), false),
    new Field("value", values, true),
  ]);
}

function numberData(values: readonly number[]): Data<Float64> {
  return makeData({ type: new Float64(), length: values.length, data: Float64Array.from(values) });
}

function flagData(values: readonly boolean[]): Data<Bool> {
  return makeData({ type: new Bool(), length: values.length, data: bitsOf(values) });
}

/** UTF-8 one after the other. */
function textData(values: readonly (string | null)[]): Data<Utf8> {
  let room = 0;
  for (const value of values) room += 3 * (value?.length ?? 0);
  const bytes = Buffer.allocUnsafe(room);
  const valueOffsets = new Int32Array(values.length + 1);
  let used = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value !== null && value !== undefined) used += bytes.write(value, used);
    valueOffsets[index + 1] = used;
  }
  const data = bytes.subarray(0, used);
  return makeData({ type: new Utf8(), length: values.length, ...nullsOf(values), valueOffsets, data });
}

function listParts(lists: readonly (readonly unknown[] | null)[]): {
  readonly length: number;
  readonly nullCount: number;
  readonly nullBitmap: Uint8Array;
  readonly valueOffsets: Int32Array;
} {
  const valueOffsets = new Int32Array(lists.length + 1);
  for (let index = 0; index < lists.length; index++)
    valueOffsets[index + 1] = (valueOffsets[index] as number) + (lists[index]?.length ?? 0);
  return { length: lists.length, ...nullsOf(lists), valueOffsets };
}

function nullsOf(values: readonly unknown[]): { readonly nullCount: number; readonly nullBitmap: Uint8Array } {
  const isThere = values.map((value) => value !== null);
  return { nullCount: isThere.filter((there) => !there).length, nullBitmap: bitsOf(isThere) };
}

/** One bit a value, the lowest first. */
function bitsOf(values: readonly boolean[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8));
  for (let index = 0; index < values.length; index++)
    if (values[index] === true) bits[index >> 3] = (bits[index >> 3] as number) | (1 << (index & 7));
  return bits;
}

function joined<Value>(lists: readonly (readonly Value[] | null)[]): readonly Value[] {
  const all: Value[] = [];
  for (const list of lists) if (list !== null) for (const value of list) all.push(value);
  return all;
}
