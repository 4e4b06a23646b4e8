import { LociError } from "@loci/domain";
import type { Layout } from "../layout/layout.ts";
import { isPlainText, visibleText } from "./visible-text.ts";

/** The tags every layout may use besides its sections. */
const sharedTags = ["memory", "procedures", "query"] as const;

/** Finds tags of the layout in the application's own text, which is rendered as it is and therefore must hold none. */
export class ReservedDelimiters {
  readonly #pattern: RegExp;

  constructor(layout: Layout) {
    const names = [...layout.sections.map(({ name }) => name), ...sharedTags].join("|");
    this.#pattern = new RegExp(String.raw`<[\s/]*(${names})(?![\p{L}\p{N}_-])`, "iu");
  }

  /**
   * Also finds what only is a tag when normalised (NFKC) or without its invisible characters.
   *
   * @throws LociError `RESERVED_DELIMITER` naming the field, the tag and the line
   */
  check(text: string, field: string): void {
    if (!text.isWellFormed()) {
      throw new LociError("INVALID_TEXT", {
        message: `${field} holds half of a surrogate pair.`,
        field,
        advice: "Cut texts between characters, not between UTF-16 units.",
      });
    }
    const found = this.#pattern.exec(isPlainText(text) ? text : visibleText(text).normalize("NFKC"));
    if (found === null) return;
    const line = found.input.slice(0, found.index).split("\n").length;
    throw new LociError("RESERVED_DELIMITER", {
      message: `${field} holds the tag <${found[1]?.toLowerCase()}> on line ${line}, which the layout uses itself.`,
      field,
      advice: "Write the name without its brackets, or as &lt;name&gt;.",
    });
  }
}
