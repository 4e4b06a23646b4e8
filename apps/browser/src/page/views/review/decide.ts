import type { BlockEdit, BlockEditPreview, MemoryReview } from "@loci/api-web";
import { ReviewDecision } from "@loci/api-web";
import { blocks, captures, newRequestId } from "../../api/calls.ts";
import { notice } from "../../state/notice.ts";
import { counted } from "../../text/words.ts";
import { changes } from "../../state/changes.ts";

/** Approves what is on the screen and nothing else: these hunks, on this version, with this content. */
export async function approveEdit(edit: BlockEdit, preview: BlockEditPreview, hunks: readonly number[]): Promise<void> {
  const { baseVersion, contentHash } = preview;
  const { block } = await blocks.approveBlockEdit({
    id: edit.id,
    baseVersion,
    contentHash,
    hunks: { positions: [...hunks] },
    requestId: newRequestId(),
  });
  const made = block?.version;
  notice.value = {
    text: `Approved: ${counted(hunks.length, "change")} of ${edit.operations.length}.`,
    undo: made === undefined ? undefined : () => restoreBlock(edit, baseVersion, made),
  };
  changes.value++;
}

export async function rejectEdit({ id }: BlockEdit): Promise<void> {
  await blocks.rejectBlockEdit({ id, requestId: newRequestId() });
  notice.value = { text: "Rejected. The block stays as it is." };
  changes.value++;
}

/** Approves a memory, or forgets it, as it was looked at. */
export async function decideMemory({ id, memory }: MemoryReview, isApproved: boolean): Promise<void> {
  const decision = isApproved ? ReviewDecision.APPROVE : ReviewDecision.REJECT;
  await captures.decideReview({ id, decision, ...(memory === undefined ? {} : { etag: memory.etag }) });
  notice.value = {
    text: isApproved ? "Approved: it can be recalled from now on." : "Rejected: the memory is forgotten.",
  };
  changes.value++;
}

/** Brings back the version before an approval, unless somebody has changed the block since. */
async function restoreBlock({ owner, label }: BlockEdit, version: bigint, made: bigint): Promise<void> {
  const named = owner === undefined ? { label } : { owner, label };
  const { document } = await blocks.getBlock(named);
  if (document?.block?.version !== made) {
    notice.value = { text: "Not undone: the block was changed again since." };
    return;
  }
  await blocks.restoreBlock({ ...named, version: String(version), requestId: newRequestId() });
  notice.value = { text: "The block is as it was before." };
  changes.value++;
}
