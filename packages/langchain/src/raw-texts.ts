import { parseRedactedJson } from "@loci/agent";

/** The control character that is made for standing between records. */
const mark = "\u001e";
const between = `\n${mark}\n`;
/** What no text has that is joined to others: the mark, and halves of characters, which no session takes. */
const unjoinable = /[\u001e\p{Surrogate}]/gu;
const written = /\u001e([0-9a-f]{4})/g;
/** An image or a signature: longer than what lets anybody in. */
const base64 = /^(?:data:[\w/+.;=-]{0,200},)?[\w+/-]{512,}={0,2}$/;
/** Of a text, in the frame: anything else there is a number that was taken for a secret. */
const place = /^\d+$/;
const run = /(.{31})(.)/gs;

/**
 * JSON whose texts stand behind it as they are, each in the place of its number. What looks for secrets in a session reads them so, line
 * breaks, quotes and all, and takes none of the signs of JSON around them.
 */
export function withTextsBehind(value: unknown): string {
  const texts: string[] = [];
  const frame = JSON.stringify(value, (_, part: unknown) =>
    typeof part === "string" ? String(texts.push(part) - 1) : part,
  );
  return [frame, ...texts.map(joinable)].join(between);
}

/** What was written so. @throws SyntaxError when a secret was taken out that reached from one text into another */
export function withTextsBack(whole: string): unknown {
  const [frame = "", ...texts] = whole.split(between).map(unjoined);
  let places = 0;
  const value = parseRedactedJson(frame, (_, part) => {
    if (typeof part !== "string" || !place.test(part)) return part;
    places++;
    return texts[Number(part)];
  });
  if (places !== texts.length) throw new SyntaxError(`There are ${texts.length} texts for ${places} places.`);
  return value;
}

/** In much Base64 anything can be found by chance. Broken up it has no words, and what looks for secrets leaves it whole. */
function joinable(text: string): string {
  if (base64.test(text)) return text.replace(run, (_, before: string, unit: string) => before + code(unit));
  return text.replace(unjoinable, code);
}

function code(unit: string): string {
  return mark + unit.charCodeAt(0).toString(16).padStart(4, "0");
}

function unjoined(text: string): string {
  return text.replace(written, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
