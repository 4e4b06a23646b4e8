import { contentKind, type Layout } from "../layout/layout.ts";
import type { Attributes, BlockHeading, ContextFormat } from "./context-format.ts";
import { type EscapeText, escapeWithTags } from "./escape.ts";

/** Blocks between tags: `<name>`, content, `</name>`. */
export class XmlFormat implements ContextFormat {
  readonly partsAddUp = true;
  readonly dataKind = "tags";
  readonly dataNames: readonly string[];
  readonly #escape: EscapeText;
  readonly #delimiter: RegExp;

  constructor({ sections, memoryForm }: Layout) {
    const names = sections.map(({ name }) => name);
    this.#escape = escapeWithTags(names);
    const tags = [...names, "memory", "procedures", "query"].join("|");
    this.#delimiter = new RegExp(String.raw`<[\s/]*(${tags})(?![\p{L}\p{N}_-])`, "iu");
    const data = sections.filter(({ source }) => contentKind(source) !== "given").map(({ name }) => name);
    this.dataNames = memoryForm === "element" ? [...data, "memory"] : data;
  }

  openingLine({ name }: BlockHeading, attributes: Attributes = []): string {
    let line = `<${name}`;
    for (const [attribute, value] of attributes) line += ` ${attribute}="${value}"`;
    return `${line}>\n`;
  }

  closing({ name }: BlockHeading): string {
    return `</${name}>`;
  }

  escapeText(text: string): string {
    return this.#escape(text);
  }

  completeText(text: string): string {
    return text;
  }

  findDelimiter(text: string): { readonly index: number; readonly delimiter: string } | undefined {
    const found = this.#delimiter.exec(text);
    return found === null ? undefined : { index: found.index, delimiter: `tag <${found[1]?.toLowerCase()}>` };
  }
}
