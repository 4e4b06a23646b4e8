import { type BlockInContext, type KeptText, saysAnything } from "@loci/core";
import type { AssemblyWarning } from "@loci/domain";

/**
 * Warns of the blocks that a context does not show because another owner's has their label: whoever wrote them thinks that the model
 * knows them. One that says what is shown is no loss.
 *
 * @param blocks of all owners, in their order
 * @param shown what the context is filled with
 */
export function blocksNotShown(
  blocks: readonly BlockInContext[],
  shown: readonly Pick<KeptText, "id">[],
): readonly AssemblyWarning[] {
  const ids = new Set(shown.map(({ id }) => id));
  const first = new Map<string, BlockInContext>();
  const others = new Map<BlockInContext, BlockInContext[]>();
  for (const block of blocks) {
    if (!saysAnything(block)) continue;
    const before = first.get(block.label);
    if (before === undefined) first.set(block.label, block);
    else if (before.text !== block.text) others.set(before, [...(others.get(before) ?? []), block]);
  }
  return [...others]
    .filter(([{ label, version }]) => ids.has(`block:${label}@${version}`))
    .map(([block, hidden]) => warning(block, hidden));
}

function warning({ label, owner }: BlockInContext, hidden: readonly BlockInContext[]): AssemblyWarning {
  const owners = hidden.map((block) => block.owner).join(" and ");
  return {
    reason: "BLOCK_NOT_SHOWN",
    message: `The block ${label} of ${owners} is not in this context: that of ${owner} has its place.`,
    advice: `Name the owner first whose ${label} is meant, or keep the other in a block of another label, for which a layout of your own has a section \`block:LABEL\`.`,
  };
}
