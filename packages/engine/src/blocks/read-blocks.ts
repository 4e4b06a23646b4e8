import { blockText, isDocument } from "@loci/core";
import { type BlockOwner, blockOwnerKinds, blockValue, formatScope, type Scope } from "@loci/domain";
import { blockFamily, blockOwnerFamily } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { blockRef } from "./block-owners.ts";
import { type OwnerState, storedBlock } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";

/** A block as a context shows it, before it is escaped. */
export interface ShownBlock {
  readonly label: string;
  readonly version: number;
  readonly text: string;
  /** What its form begins with, where it has a mark of its own. */
  readonly opening?: string | undefined;
  /** What its user is doing, for a human block. */
  readonly currentTask?: string | undefined;
}

/**
 * Blocks of some owners for a context: in the order of the owners, then of the labels. The caller has made sure that the
 * principal may read what is the owners'.
 *
 * @param owners scopes of other kinds have no blocks
 * @param labels what is wanted; every other block is not read
 */
export async function readBlocks(
  { ledger }: Pick<BlockServices, "ledger">,
  { principal, signal }: Call,
  owners: readonly Scope[],
  labels: ReadonlySet<string>,
): Promise<readonly ShownBlock[]> {
  const [first, ...others] = owners.filter(({ kind }) => blockOwnerKinds.some((known) => known === kind));
  if (first === undefined || labels.size === 0) return [];
  const { tenant } = principal;
  const scopes = [first, ...others] as const;
  const limit = scopes.length;
  const kept = await ledger.resources.list(tenant, { family: blockOwnerFamily, scopes, limit }, { signal });
  const states = new Map(kept.map(({ scope, state }) => [formatScope(scope), state as OwnerState]));
  const refs = scopes.flatMap((scope) => {
    const state = states.get(formatScope(scope));
    const owned = Object.keys(state?.blobs ?? {}).filter((label) => labels.has(label));
    return state === undefined ? [] : owned.map((label) => blockRef({ owner: scope as BlockOwner, state }, label));
  });
  if (refs.length === 0) return [];
  const stored = await ledger.resources.get(tenant, blockFamily, refs, { signal });
  return refs.flatMap((ref): ShownBlock[] => {
    const found = stored.get(ref);
    const block = found && storedBlock(found);
    if (block === undefined) return [];
    const { schema, state, version } = block;
    const { label, values } = state;
    const text = blockText(schema, values);
    const task = schema.name === "human" ? blockValue(values, "currentTask") : undefined;
    return [
      {
        label,
        version,
        text,
        // A document has no form; of everything else each line has its mark.
        ...(isDocument(schema) ? {} : { opening: text.slice(0, text.indexOf("] ") + 2) }),
        ...(typeof task === "string" ? { currentTask: task } : {}),
      },
    ];
  });
}
