import { formatScope, LociError, nearestName, parseScope, throwIfAborted } from "@loci/domain";
import type { Loci, Memory, ScopeText } from "@loci/loci";
import { printNote } from "../output/terminal.ts";

/** So many scopes are looked through for what may have been meant. */
const mostLookedThrough = 1_000;

/**
 * Says on standard error in which scopes nothing is stored, and which of those that the caller may see have a name like it: a
 * misspelt scope is empty like any other, and so may `global` be, which is read where none is named. Nothing for `global` beside
 * others, which nobody makes up, and for an owner of blocks.
 *
 * @param found what the scopes are known to hold. Default nothing: each is looked at
 */
export async function noteEmptyScopes(
  loci: Pick<Loci, "memories" | "blocks">,
  scopes: readonly ScopeText[],
  signal: AbortSignal,
  found: readonly Pick<Memory, "scope">[] = [],
): Promise<void> {
  const holding = new Set(found.map(({ scope }) => formatScope(scope)));
  const others = scopes.filter((scope) => !holding.has(scope) && (scope !== "global" || scopes.length === 1));
  try {
    await noteThem(loci, others, signal);
  } catch (error) {
    throwIfAborted(signal);
    // An older server does not know it, and a caller may not ask it: what was asked for has been found.
    if (!LociError.is(error)) throw error;
  }
}

async function noteThem(
  loci: Pick<Loci, "memories" | "blocks">,
  scopes: readonly ScopeText[],
  signal: AbortSignal,
): Promise<void> {
  const kept = await Promise.all(scopes.map((scope) => isEmpty(loci, scope, signal)));
  const empty = scopes.filter((_, index) => kept[index]);
  if (empty.length === 0) return;
  const page = await loci.memories.scopes({ pageSize: mostLookedThrough }, { signal });
  const others = page.scopes.map(({ scope }) => formatScope(scope));
  for (const scope of empty) {
    const meant = likeScope(scope, others);
    const advice =
      meant.length === 0 ? "`loci scopes` lists the scopes that hold something." : `Is ${meant.join(" or ")} meant?`;
    printNote(`loci: nothing is stored in ${scope}. ${advice}`);
  }
}

async function isEmpty(
  { memories, blocks }: Pick<Loci, "memories" | "blocks">,
  scope: ScopeText,
  signal: AbortSignal,
): Promise<boolean> {
  const { kind } = parseScope(scope);
  const { memories: found } = await memories.list({ scopes: [scope], pageSize: 1 }, { signal });
  if (found.length > 0) return false;
  return kind === "session" || kind === "global" || (await blocks.list({ owner: scope }, { signal })).length === 0;
}

/** The one of a name like it and of the same kind, and those of the same name and of another kind. */
function likeScope(scope: ScopeText, others: readonly string[]): readonly string[] {
  const [kind = "", id = ""] = splitScope(scope);
  const ids = others.flatMap((other) => (other.startsWith(`${kind}:`) ? [splitScope(other)[1] ?? ""] : []));
  const nearest = nearestName(id, ids);
  const sameName = others.filter((other) => other !== scope && splitScope(other)[1] === id);
  return [...(nearest === undefined ? [] : [`${kind}:${nearest}`]), ...sameName].slice(0, 3);
}

function splitScope(scope: string): readonly string[] {
  const colon = scope.indexOf(":");
  return colon < 0 ? [scope] : [scope.slice(0, colon), scope.slice(colon + 1)];
}
