/**
 * A caller's value as a message shows it: numbers and short texts themselves, of anything else its kind. Never calls
 * anything of the value's own, and so never throws.
 */
export function shownValue(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean" || value === undefined || value === null)
    return String(value);
  if (typeof value === "string") return shownText(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** How much of a text is shown, in UTF-16 units. */
const shownLength = 60;
/** Controls, bidirectional marks and whatever else changes how the text around it looks, or does not show at all. */
const invisible = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * The beginning of a caller's text in double quotes, on one line, with everything that cannot be seen but a space as
 * `\uXXXX`: a message that holds it reads as it was written.
 *
 * @param length the most UTF-16 units of the text that are shown. Default 60
 */
export function shownText(text: string, length: number = shownLength): string {
  return JSON.stringify(text.slice(0, length)).replace(invisible, (character) =>
    character === " " ? character : unitsOf(character),
  );
}

function unitsOf(character: string): string {
  let units = "";
  for (let index = 0; index < character.length; index++)
    units += String.raw`\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  return units;
}
