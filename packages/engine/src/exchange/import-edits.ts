import { checkBlockOperations } from "@loci/core";
import { type BlockEdit, type BlockOwner, LociError, maxPendingEdits, type Ref, type Version } from "@loci/domain";
import { blockFamily, editFamily } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { blockRef, type KnownOwner, pendingEdits } from "../blocks/block-owners.ts";
import { type BlockState, storedBlock } from "../blocks/block-records.ts";
import type { BlockServices } from "../blocks/block-services.ts";
import type { OwnerChange } from "../blocks/owner-change.ts";
import { erasedOf } from "../memories/erased-memories.ts";
import type { LeftOut, LineResults } from "./line-results.ts";
import type { EditLine } from "./read-block-lines.ts";

/** A block as the lines before have left it. */
export interface TakenBlock {
  readonly version: Version;
  readonly state: BlockState | undefined;
}

/** Edits of an owner, and its blocks as they are behind the lines of versions. */
export interface TakenEdits {
  readonly known: KnownOwner;
  readonly owner: BlockOwner;
  readonly edits: readonly EditLine[];
  readonly blocks: ReadonlyMap<string, TakenBlock>;
  readonly change: OwnerChange;
  readonly results: LineResults;
}

/** Takes edits of blocks back, pending and decided ones. */
export async function takeEdits(
  services: BlockServices,
  call: Call,
  { known, owner, edits, blocks, change, results }: TakenEdits,
): Promise<void> {
  const { principal, signal } = call;
  const refs = edits.map(({ edit }) => edit.id as Ref);
  const there = await services.ledger.resources.get(principal.tenant, editFamily, refs, { signal });
  const erased = await erasedOf(services.ledger, principal.tenant, refs, signal);
  const waiting = new Map<string, number>();
  const written = new Set<string>();
  for (const line of edits) {
    const { label, edit } = line;
    const block = blocks.get(label);
    const ref = blockRef(known, label);
    if (!waiting.has(label)) waiting.set(label, (await pendingEdits(services, call, ref)).length);
    const count = waiting.get(label) ?? 0;
    const found = there.has(edit.id as Ref) || written.has(edit.id);
    const result = found
      ? "unchanged"
      : erased.has(edit.id as Ref)
        ? "erased"
        : (problemOfEdit(edit, block, { ref, owner, count }) ?? "imported");
    results.set(line, result);
    if (result !== "imported") continue;
    if (edit.state === "pending") waiting.set(label, count + 1);
    written.add(edit.id);
    change.writeEdit({ edit, label, version: 0 });
  }
}

/** Why an edit cannot be one of the block as it is. */
function problemOfEdit(
  edit: BlockEdit,
  block: TakenBlock | undefined,
  { ref, owner, count }: { readonly ref: Ref; readonly owner: BlockOwner; readonly count: number },
): LeftOut | undefined {
  if (block?.state === undefined) return noBlock;
  // What was decided is not carried out any more.
  if (edit.state !== "pending") return undefined;
  const stored = storedBlock({ ref, scope: owner, family: blockFamily, sequence: 0, recordedAt: 0, ...block });
  if (stored === undefined) return noBlock;
  if (count >= maxPendingEdits) return tooManyEdits;
  try {
    checkBlockOperations(stored.schema, edit.operations);
    return undefined;
  } catch (error) {
    if (!LociError.is(error)) throw error;
    return { reason: error.reason, problem: "The edit does not fit the schema of its block." };
  }
}

const noBlock = {
  reason: "BLOCK_NOT_FOUND",
  problem: "The block of the edit is not there: import that line first.",
} as const;
const tooManyEdits = { reason: "BLOCK_LIMIT_EXCEEDED", problem: "As many edits of the block wait as may." } as const;
