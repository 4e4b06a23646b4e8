import { isPlainText, LociError, normalForm, visibleText } from "@loci/domain";
import type { ContextFormat } from "./context-format.ts";

/**
 * Checks the application's own text, which is rendered as it is and therefore must hold no delimiter of the layout, also
 * none that only is one when normalised (NFKC) or without its invisible characters.
 *
 * @throws LociError `RESERVED_DELIMITER` naming the field, the delimiter and the line; `INVALID_TEXT`
 */
export function checkGivenText(text: string, field: string, format: ContextFormat): void {
  if (!text.isWellFormed())
    throw new LociError("INVALID_TEXT", {
      message: `${field} holds half of a surrogate pair.`,
      field,
      advice: "Cut texts between characters, not between UTF-16 units.",
    });
  const read = isPlainText(text) ? text : normalForm(visibleText(text), "NFKC");
  const found = format.findDelimiter(read);
  if (found === undefined) return;
  const line = read.slice(0, found.index).split("\n").length;
  throw new LociError("RESERVED_DELIMITER", {
    message: `${field} holds the ${found.delimiter} on line ${line}, which the layout uses itself.`,
    field,
    advice:
      "Write it in other words, a tag without its brackets or as &lt;name&gt;, a heading of another level. That retrieved text is data need not be said: each context has a notice.",
  });
}
