import { type ArchivedEntry, type BlockField, LociError } from "@loci/domain";

/**
 * The entries of a list as far as it takes them: the newest `max`.
 *
 * @param archived gets those that had to go, oldest first
 * @throws LociError `BLOCK_LIMIT_EXCEEDED` when there are too many of a list that refuses
 */
export function limitedEntries(
  field: BlockField,
  entries: readonly string[],
  archived: ArchivedEntry[],
): readonly string[] {
  const tooMany = entries.length - (field.max ?? Infinity);
  if (tooMany <= 0) return entries;
  if (field.overflow !== "archive")
    throw new LociError("BLOCK_LIMIT_EXCEEDED", {
      message: `${field.name} would have ${entries.length} entries, more than the ${field.max} allowed.`,
      field: field.name,
      advice: "Remove an entry first, or replace one.",
      details: { field: field.name, max: String(field.max), length: String(entries.length) },
    });
  for (const entry of entries.slice(0, tooMany)) archived.push({ field: field.name, entry });
  return entries.slice(tooMany);
}
