import type { MemoryRecord, Metadata } from "@loci/domain";
import type { IndexFields } from "@loci/store";

type Field = IndexFields[string];
type ReadField = (memory: MemoryRecord) => Field | undefined;

/** What a filter can ask about every memory, by the names filters use. */
const readers: ReadonlyMap<string, ReadField> = new Map<string, ReadField>([
  ["category", ({ category }) => category],
  ["origin", ({ origin }) => origin],
  ["trust", ({ trust }) => trust],
  ["isStatic", ({ isStatic }) => isStatic],
  ["importance", ({ importance }) => importance],
  ["confidence", ({ confidence }) => confidence],
  ["createdAt", ({ createdAt }) => createdAt],
  ["tags", ({ tags }) => tags],
  ["slot", ({ slot }) => slot],
]);

/** What a filter can ask about a memory, under the names filters use. Absent values are left out. @param declared of its metadata */
export function indexFieldsOf(memory: MemoryRecord, declared: Metadata): IndexFields {
  const fields: Record<string, Field> = {};
  for (const [name, read] of readers) {
    const value = read(memory);
    if (value !== undefined) fields[name] = value;
  }
  for (const [name, value] of Object.entries(declared)) fields[`metadata.${name}`] = value;
  return fields;
}

/** One of those fields. `undefined` when it is absent, or is metadata. */
export function indexFieldOf(memory: MemoryRecord, name: string): Field | undefined {
  return readers.get(name)?.(memory);
}
