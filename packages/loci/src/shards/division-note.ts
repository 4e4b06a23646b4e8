/** What a shard may have of a tenant that is not there: it has left, or has not arrived. */
export interface Leftover {
  readonly tenant: string;
  readonly shard: number;
}

/** What stands in `shards.json`. Format 1 had `tenantsOfShard0` alone: nobody could be moved. */
export interface DivisionNote {
  readonly format: 2;
  readonly shards: number;
  /** By shard, the tenants that are in it although their names belong to another. */
  readonly placed: readonly (readonly string[])[];
  readonly leftovers: readonly Leftover[];
}

/** @param placed the shards of tenants that are elsewhere than their names say */
export function noteOf(
  shards: number,
  placed: ReadonlyMap<string, number>,
  leftovers: readonly Leftover[],
): DivisionNote {
  const byShard: string[][] = Array.from({ length: shards }, () => []);
  for (const [tenant, shard] of placed) byShard[shard]?.push(tenant);
  return { format: 2, shards, placed: byShard, leftovers };
}

/**
 * @returns "newer" for a note of a later version, `undefined` for what is none
 * @throws SyntaxError for what is no JSON
 */
export function parseNote(text: string, mostShards: number): DivisionNote | "newer" | undefined {
  const note: unknown = JSON.parse(text);
  if (!isObject(note)) return undefined;
  const { format, shards, tenantsOfShard0 } = note;
  if (typeof format === "number" && format > 2) return "newer";
  if (!Number.isInteger(shards) || (shards as number) < 2 || (shards as number) > mostShards) return undefined;
  const count = shards as number;
  if (format === 1 && isTexts(tenantsOfShard0))
    return { format: 2, shards: count, placed: [tenantsOfShard0], leftovers: [] };
  const { placed, leftovers } = note;
  const arePlaced = Array.isArray(placed) && placed.length <= count && placed.every(isTexts);
  const areLeft = Array.isArray(leftovers) && leftovers.every((left) => isLeftover(left, count));
  if (format !== 2 || !arePlaced || !areLeft) return undefined;
  return { format, shards: count, placed, leftovers: leftovers as Leftover[] };
}

function isObject(given: unknown): given is Readonly<Record<string, unknown>> {
  return typeof given === "object" && given !== null;
}

function isTexts(given: unknown): given is readonly string[] {
  return Array.isArray(given) && given.every((text) => typeof text === "string");
}

function isLeftover(given: unknown, shards: number): boolean {
  if (!isObject(given)) return false;
  const { tenant, shard } = given;
  return typeof tenant === "string" && Number.isInteger(shard) && (shard as number) >= 0 && (shard as number) < shards;
}
