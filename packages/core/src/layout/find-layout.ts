import { type LayoutDefinition, type LayoutName, layoutNames, LociError, shownText } from "@loci/domain";
import { checkLayout } from "./check-layout.ts";
import { layeredFiles } from "./layered-files.ts";
import type { Layout } from "./layout.ts";
import { memoryBlocks } from "./memory-blocks.ts";
import { threeTier } from "./three-tier.ts";

const shipped: Readonly<Record<LayoutName, Layout>> = { memoryBlocks, layeredFiles, threeTier };

/**
 * The layout of that name, or the given one once it is checked. Default `memoryBlocks`.
 *
 * @throws LociError `INVALID_LAYOUT`
 */
export function findLayout(layout: LayoutName | LayoutDefinition | undefined): Layout {
  if (layout === undefined) return memoryBlocks;
  if (typeof layout !== "string") return checkLayout(layout);
  const name = layoutNames.find((known) => known === layout);
  if (name !== undefined) return shipped[name];
  throw new LociError("INVALID_LAYOUT", {
    message: `There is no layout ${shownText(layout)}.`,
    field: "layout",
    advice: `Use one of ${layoutNames.join(", ")}, or pass a layout of your own.`,
  });
}
