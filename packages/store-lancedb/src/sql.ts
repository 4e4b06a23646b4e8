/**
 * The one place where values become SQL. LanceDB takes filters as text and has no parameters: a double-quoted name is a
 * string to it, not a column, so that `"scope" = 'global'` finds nothing and says nothing.
 */
export function literal(value: string | number | boolean): string {
  if (typeof value === "boolean") return value ? "true" : "false";
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  // A comparison of doubles tells 0 from -0.
  return `CAST('${value + 0}' AS DOUBLE)`;
}

/** Literals with commas between. */
export function literals(values: readonly (string | number)[]): string {
  return values.map(literal).join(", ");
}

/** True when the column is one of the values; never for none. */
export function isOneOf(column: string, values: readonly (string | number)[]): string {
  return values.length === 0 ? "false" : `${column} IN (${literals(values)})`;
}

/** The name of one of our own columns, as LanceDB reads names. */
export function column(name: string): string {
  return `\`${name}\``;
}
