import type { LayoutSection } from "../layout/layout.ts";

/** A block to write down: a section, or `procedures` or `query`, which every layout has. */
export type BlockHeading = Pick<LayoutSection, "name" | "title">;

export type Attributes = readonly (readonly [name: string, value: string])[];

/** How a layout's blocks are told apart in the text. */
export interface ContextFormat {
  /** True when a block is counted in parts that are cut before its tags. False: count it whole. */
  readonly partsAddUp: boolean;
  /** The line that opens a block. Attribute values must be escaped already. */
  openingLine(heading: BlockHeading, attributes?: Attributes): string;
  /** What stands behind a block's last line break: its closing tag. Empty when the block ends before that line break. */
  closing(heading: BlockHeading): string;
  /** Makes recalled or said text safe. */
  escapeText(text: string, place: TextPlace): string;
  /** Given text, with what it needs at its end so that it cannot take in what follows. */
  completeText(text: string): string;
  /** Finds a delimiter of the layout in given text, put into NFKC. */
  findDelimiter(text: string): { readonly index: number; readonly delimiter: string } | undefined;
  /** What the notice calls the content that is data. */
  readonly dataNames: readonly string[];
  /** What these names are: `tags` or `sections`. */
  readonly dataKind: string;
}

/** Where a text stands: at the start of a line, or behind something else on its first line. */
export type TextPlace = "line" | "inline";

/** What stands between two blocks: a blank line. */
export const blockSeparator = "\n\n";

export const queryHeading: BlockHeading = { name: "query", title: "Query" };
export const proceduresHeading: BlockHeading = { name: "procedures", title: "Procedures" };
