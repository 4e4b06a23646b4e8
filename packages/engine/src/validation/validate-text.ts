import { LociError, maxTextBytes, utf8ByteLength, visibleText } from "@loci/domain";

/** The longest text that is counted, searched for or rendered, in bytes of UTF-8. */
export const maxPromptBytes: number = 1024 * 1024;

/**
 * Checks a text that will be stored: 1 byte to 64 KiB of UTF-8 unless other bounds are given, without NUL and halves of
 * surrogate pairs, so that every store gives the same bytes back.
 *
 * @throws LociError `INVALID_TEXT`, `TEXT_TOO_LARGE`
 */
export function checkStoredText(value: unknown, field: string, maxBytes: number = maxTextBytes): string {
  if (typeof value !== "string") return refuse(field, `must be text, but is ${value === null ? "null" : typeof value}`);
  if (value === "") return refuse(field, "is empty", sayingNothing);
  if (value.includes("\0")) return refuse(field, `holds a NUL character at ${value.indexOf("\0")}`);
  if (!value.isWellFormed()) return refuse(field, "holds half of a surrogate pair");
  return checkByteLength(value, field, maxBytes);
}

/**
 * Checks a text that is to be remembered: one that is stored, and says something. White space and characters that nobody can see
 * are no text.
 *
 * @throws LociError `INVALID_TEXT`, `TEXT_TOO_LARGE`
 */
export function checkRememberedText(value: unknown, field: string): string {
  const text = checkStoredText(value, field);
  if (visibleText(text).trim() !== "") return text;
  return refuse(field, "holds nothing but white space or characters that cannot be seen", sayingNothing);
}

/**
 * Checks a text that is only read, such as a question: at most 1 MiB. It is data and nothing in it can throw; halves of
 * surrogate pairs become U+FFFD, as they would on the wire.
 *
 * @throws LociError `INVALID_TEXT` when it is no text at all, `TEXT_TOO_LARGE`
 */
export function checkPromptText(value: unknown, field: string): string {
  if (typeof value !== "string") return refuse(field, `must be text, but is ${value === null ? "null" : typeof value}`);
  return checkByteLength(value.toWellFormed(), field, maxPromptBytes);
}

function checkByteLength(text: string, field: string, maxBytes: number): string {
  // A UTF-16 unit takes at most three bytes, so most texts need no exact count.
  if (text.length * 3 <= maxBytes) return text;
  const bytes = utf8ByteLength(text);
  if (bytes <= maxBytes) return text;
  throw new LociError("TEXT_TOO_LARGE", {
    message: `${field} has ${bytes} bytes of UTF-8, but at most ${maxBytes} are allowed.`,
    field,
    advice: "Split it into several texts.",
    details: { bytes: String(bytes), maxBytes: String(maxBytes) },
  });
}

const sayingNothing = "Pass a text that says something, or leave it out.";

function refuse(field: string, problem: string, advice = "Pass well-formed text without NUL characters."): never {
  throw new LociError("INVALID_TEXT", {
    message: `${field} ${problem}.`,
    field,
    advice,
  });
}
