import { blocksOf, headingText } from "./markdown-blocks.ts";
import { withoutPadding } from "./markdown-table.ts";

/** Headings below this level are text of their section. */
const deepestLevel = 3;

/** What stands under a heading of level 1 to 3, or above the first one. */
export interface MarkdownSection {
  /** Its words, without marks. Empty for the document itself. */
  readonly heading: string;
  /** 0 for the document itself. */
  readonly level: number;
  /** Sources of the blocks that stand under it and under none of the headings in it; tables {@link withoutPadding}. */
  readonly blocks: readonly string[];
  readonly sections: readonly MarkdownSection[];
}

interface GrowingSection extends MarkdownSection {
  readonly blocks: string[];
  readonly sections: GrowingSection[];
}

/** A document as the tree of its sections. Comments and definitions of links are left out. Takes time linear in its length. */
export function sectionsOf(source: string): MarkdownSection {
  const document: GrowingSection = { heading: "", level: 0, blocks: [], sections: [] };
  const open: GrowingSection[] = [];
  const innermost = (): GrowingSection => open.at(-1) ?? document;
  for (const block of blocksOf(source)) {
    if (block.kind === "heading" && block.level <= deepestLevel) {
      while (innermost().level >= block.level) open.pop();
      const section = { heading: headingText(block.source), level: block.level, blocks: [], sections: [] };
      innermost().sections.push(section);
      open.push(section);
    } else if (block.kind === "table") innermost().blocks.push(withoutPadding(block.source));
    else if (block.kind !== "aside") innermost().blocks.push(block.source);
  }
  return document;
}
