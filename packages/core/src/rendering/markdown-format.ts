import { isPlainText, normalForm, visibleText } from "@loci/domain";
import { contentKind, type Layout } from "../layout/layout.ts";
import type { BlockHeading, ContextFormat, TextPlace } from "./context-format.ts";
import { type EscapeText, escapeWithTags } from "./escape.ts";
import { escapeBlocks } from "./markdown-blocks.ts";
import { closingOfOpenBlock } from "./open-blocks.ts";

/** Blocks below headings: `## Title`, content. */
export class MarkdownFormat implements ContextFormat {
  // A block ends with a line break and a blank line follows: tokens may span both.
  readonly partsAddUp = false;
  readonly dataKind = "sections";
  readonly dataNames: readonly string[];
  readonly #escape: EscapeText;
  readonly #delimiter: RegExp;

  constructor({ sections }: Layout) {
    this.#escape = escapeWithTags([]);
    const titles = [...sections.map(({ title }) => title), "Query"]
      .map((title) => title.replaceAll(/[().]/g, String.raw`\$&`))
      .join("|");
    // As a heading of the second level, in either of its two forms.
    this.#delimiter = new RegExp(
      String.raw`^[ \t>]*##[ \t]+(${titles})[ \t#]*$|^[ \t>]*(${titles})[ \t]*(?:\r\n|\n|\r)[ \t>]*-+[ \t]*$`,
      "imu",
    );
    this.dataNames = sections.filter(({ source }) => contentKind(source) !== "given").map(({ title }) => title);
  }

  openingLine({ title }: BlockHeading): string {
    return `## ${title}\n`;
  }

  closing(): string {
    return "";
  }

  escapeText(text: string, place: TextPlace): string {
    const startsLine = place === "line";
    const escaped = escapeBlocks(this.#escape(text), startsLine);
    if (isPlainText(escaped)) return escaped;
    const normalised = normalForm(escaped, "NFKC");
    if (normalised === escaped || escapeBlocks(normalised, startsLine) === normalised) return escaped;
    return escapeBlocks(this.#escape(normalForm(visibleText(text), "NFKC")), startsLine);
  }

  completeText(text: string): string {
    const closing = closingOfOpenBlock(text);
    return closing === undefined ? text : `${text}\n${closing}`;
  }

  findDelimiter(text: string): { readonly index: number; readonly delimiter: string } | undefined {
    const found = this.#delimiter.exec(text);
    return found === null ? undefined : { index: found.index, delimiter: `heading "${found[1] ?? found[2]}"` };
  }
}
