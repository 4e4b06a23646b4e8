import { joinedTexts, parseRedactedJson, splitTexts } from "@loci/agent";

/** Of a text, in the frame: anything else there is a number that was taken for a secret. */
const place = /^\d+$/;

/**
 * JSON whose texts stand behind it as they are, each in the place of its number. What looks for secrets in a session reads them so, line
 * breaks, quotes and all, and takes none of the signs of JSON around them.
 */
export function withTextsBehind(value: unknown): string {
  const texts: string[] = [];
  const frame = JSON.stringify(value, (_, part: unknown) =>
    typeof part === "string" ? String(texts.push(part) - 1) : part,
  );
  return joinedTexts([frame, ...texts]);
}

/** What was written so. @throws SyntaxError when a secret was taken out that reached from one text into another */
export function withTextsBack(whole: string): unknown {
  const [frame = "", ...texts] = splitTexts(whole);
  let places = 0;
  const value = parseRedactedJson(frame, (_, part) => {
    if (typeof part !== "string" || !place.test(part)) return part;
    places++;
    return texts[Number(part)];
  });
  if (places !== texts.length) throw new SyntaxError(`There are ${texts.length} texts for ${places} places.`);
  return value;
}
