/**
 * The arguments of a call with long texts among them shortened, at any depth. Everything else is as it was written, names and numbers
 * too: it is JSON as before, and what was a text still is one.
 *
 * @param shorten what a text becomes; `undefined` where it stays
 * @returns `undefined` where all texts stay, and for what is no JSON
 */
export function shortenedArguments(json: string, shorten: (text: string) => string | undefined): string | undefined {
  if (!isJson(json)) return undefined;
  let written = "";
  let from = 0;
  for (let start = json.indexOf('"'); start >= 0;) {
    const end = endOfText(json, start);
    const text = isName(json, end) ? undefined : shorten(JSON.parse(json.slice(start, end)) as string);
    if (text !== undefined) {
      written += json.slice(from, start) + JSON.stringify(text);
      from = end;
    }
    start = json.indexOf('"', end);
  }
  return from === 0 ? undefined : written + json.slice(from);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Behind the quotation mark that ends the text which begins here. */
function endOfText(json: string, start: number): number {
  let end = start + 1;
  while (json[end] !== '"') end += json[end] === "\\" ? 2 : 1;
  return end + 1;
}

/** True for what ends here and names a field. */
function isName(json: string, end: number): boolean {
  let next = end;
  while (" \t\r\n".includes(json[next] ?? ".")) next++;
  return json[next] === ":";
}
