/** A thumb up or a sign for all right, in any colour of skin. As a pattern writes it. */
export const assentingEmoji: string =
  "(?:[\\u{1f44d}\\u{1f44c}\\u2705\\u{1f4af}\\u{1f197}][\\u{1f3fb}-\\u{1f3ff}\\ufe0f]?){1,5}";
const refusingEmoji = "(?:[\\u{1f44e}\\u274c\\u{1f645}][\\u{1f3fb}-\\u{1f3ff}\\ufe0f]?){1,5}";
const assents = new RegExp(String.raw`^\s?${assentingEmoji}\s?$`, "u");
const refuses = new RegExp(String.raw`^\s?${refusingEmoji}\s?$`, "u");

/** What a sentence says that is nothing but a thumb up or down. */
export function saidByEmoji(text: string): "yes" | "no" | undefined {
  if (assents.test(text)) return "yes";
  return refuses.test(text) ? "no" : undefined;
}
