import { isDeepStrictEqual } from "node:util";
import type { BlockName, BlockOperation, Loci, ProposedBlockEdit } from "@loci/loci";
import { asData } from "./tool-result.ts";

/** As many as a page may have. */
const page = 1_000;

/** The changes of a block, or of all blocks of an owner, that wait for a person, the oldest first. */
export async function waitingEdits(
  loci: Loci,
  { owner, label }: Pick<BlockName, "owner"> & { readonly label?: string | undefined },
  call: { readonly signal: AbortSignal },
): Promise<readonly ProposedBlockEdit[]> {
  return (await loci.blocks.listEdits({ owner, label, pageSize: page }, call)).edits;
}

/** The one that proposes just this already, and could still be approved as it is. */
export function sameEdit(
  waiting: readonly ProposedBlockEdit[],
  operations: readonly BlockOperation[],
): ProposedBlockEdit | undefined {
  return waiting.find((edit) => !edit.stale && isDeepStrictEqual(edit.operations, operations));
}

/** Which fields it is about. What they would say is for the person who decides, until it is approved. */
export function waitingChanges({ operations }: Pick<ProposedBlockEdit, "operations">): string {
  return operations.map(({ op, field }) => asData(`${op} ${field}`)).join(", ");
}
