import type { IndexFields } from "@loci/store";
import type { Parameters } from "./postgres/parameters.ts";

type Field = IndexFields[string];

interface KnownField {
  readonly name: string;
  /** What most rows have, and no row writes. */
  readonly usual?: Exclude<Field, readonly string[]> | readonly [];
}

/**
 * The fields that memories have, by the place of their values. Those that are seldom usual come first: what is usual at the end of
 * a row takes no room. A place never changes its meaning; new ones would go behind the last.
 */
const known: readonly KnownField[] = [
  { name: "createdAt" },
  { name: "importance" },
  { name: "category", usual: "fact" },
  { name: "tags", usual: [] },
  { name: "confidence", usual: 1 },
  { name: "isStatic", usual: false },
  { name: "origin", usual: "manual" },
  { name: "trust", usual: "trusted" },
  { name: "slot" },
];
const placeOfOthers = known.length;
const knownNames: ReadonlySet<string> = new Set(known.map(({ name }) => name));

/** Stands for a field that a row does not have although most do. No field has such a value. */
const missing = {};

/**
 * A row's fields as the tables have them: an array with a value for each known field, `null` where it is as usual, and an
 * object with all others behind them. It takes a third of the room of an object with their names. Rows of vectors that an
 * older version has written hold such an object.
 */
export function storedFields(fields: IndexFields): readonly unknown[] {
  const stored: unknown[] = known.map(({ name, usual }) => {
    if (!Object.hasOwn(fields, name)) return usual === undefined ? null : missing;
    const value = fields[name];
    return isUsual(value, usual) ? null : value;
  });
  let others: Record<string, Field> | undefined;
  for (const name in fields) if (!knownNames.has(name)) (others ??= {})[shortName(name)] = fields[name] as Field;
  if (others !== undefined) stored.push(others);
  while (stored.length > 0 && stored.at(-1) === null) stored.pop();
  return stored;
}

function isUsual(value: Field | undefined, usual: KnownField["usual"]): boolean {
  return value === usual || (Array.isArray(usual) && Array.isArray(value) && value.length === 0);
}

/** The SQL of a row's value of a field as jsonb, NULL where it has none. @param fields the SQL of the column */
export function storedFieldSql(fields: string, name: string, parameters: Parameters): string {
  const place = known.findIndex((field) => field.name === name);
  // A number finds nothing in an object, and a name nothing in an array.
  if (place === -1)
    return `coalesce(${fields} -> ${placeOfOthers} -> ${parameters.add(shortName(name))}::text, ${fields} -> ${parameters.add(name)}::text)`;
  const own = `nullif(${fields} -> ${place}, 'null')`;
  const usual = known[place]?.usual;
  if (usual === undefined) return `coalesce(${own}, ${fields} -> '${name}')`;
  const orUsual = `nullif(coalesce(${own}, '${JSON.stringify(usual)}'), '${JSON.stringify(missing)}')`;
  return `CASE jsonb_typeof(${fields}) WHEN 'object' THEN ${fields} -> '${name}' ELSE ${orUsual} END`;
}

const metadataPrefix = "metadata.";

/** `metadata.area` as `.area`; whatever begins with one of the two marks itself gets the other in front. */
function shortName(name: string): string {
  if (name.startsWith(metadataPrefix)) return `.${name.slice(metadataPrefix.length)}`;
  return name.startsWith(".") || name.startsWith("=") ? `=${name}` : name;
}
