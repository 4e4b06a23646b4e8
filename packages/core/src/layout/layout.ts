import type { LayoutDefinition, RankProfile, SectionDefinition, SectionSource, WaterfallMode } from "@loci/domain";

/** A section with its defaults filled in. */
export interface LayoutSection extends SectionDefinition {
  readonly title: string;
  readonly rank: Readonly<Record<RankProfile, number>>;
}

/** A layout that was checked, with its defaults filled in. One assembler runs every layout. */
export interface Layout extends LayoutDefinition {
  readonly rendering: "xml" | "markdown";
  readonly mode: WaterfallMode;
  readonly memoryForm: "element" | "list";
  readonly sections: readonly LayoutSection[];
}

/** What a source holds: text of the application, what was written down or said, or recalled memories. */
export function contentKind(source: SectionSource): "given" | "days" | "history" | "memories" {
  switch (source) {
    case "days":
    case "history":
      return source;
    case "knowledge":
    case "teamMemories":
    case "personalMemories":
      return "memories";
    default:
      return "given";
  }
}
