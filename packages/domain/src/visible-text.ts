// What a reader cannot see can still be read by a model, so it goes. Three kinds of invisible characters carry meaning
// and stay, each only where it does: joiners in scripts that need them, the parts of an emoji, Mongolian variants.
const joiningScripts = (
  "Arabic Syriac Mandaic Nko Mongolian Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam " +
  "Sinhala Tibetan Myanmar Khmer Balinese Javanese"
)
  .split(" ")
  .map((script) => String.raw`\p{Script=${script}}`);

const meaningful = [
  String.raw`\p{RGI_Emoji_Tag_Sequence}`,
  String.raw`(?<=[\p{Emoji}--[0-9#*]])[\uFE0E\uFE0F]`,
  String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
  String.raw`(?<=\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[${joiningScripts.join("")}])[\u200C\u200D]`,
  String.raw`(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]`,
].join("|");

// Default_Ignorable_Code_Point has what Cf misses (fillers, variation selectors); the controls and the annotation marks
// are in neither.
const invisible = String.raw`[\p{Default_Ignorable_Code_Point}\0-\x08\x0E-\x1F\x7F-\x9F\uFFF9-\uFFFB]`;

const meaningfulOrInvisible = new RegExp(`(${meaningful})|${invisible}`, "gv");
const anyInvisible = new RegExp(invisible, "v");
const unusualLineBreak = /\r?[\v\f\u0085\u2028\u2029]/g;
const unusualCharacter = /[^\t\n\r -~]/;

/** True for a text of printable ASCII: nothing in it is invisible or changes under any normalisation. */
export function isPlainText(text: string): boolean {
  return !unusualCharacter.test(text);
}

/**
 * The text without what cannot be seen: tag characters, bidirectional controls, zero-width and filler characters,
 * variation selectors and control characters. Emoji sequences and the joiners of scripts that need them stay; rare line
 * breaks become `\n`; half a surrogate pair becomes U+FFFD. Idempotent.
 */
export function visibleText(text: string): string {
  if (isPlainText(text)) return text;
  const wellFormed = text.toWellFormed().replace(unusualLineBreak, "\n");
  return anyInvisible.test(wellFormed) ? wellFormed.replace(meaningfulOrInvisible, "$1") : wellFormed;
}
