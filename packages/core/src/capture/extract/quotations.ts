/** Marks that open a quotation; an apostrophe is none, as a letter stands before it. */
const opening = /["\u201c]|(?<![\p{L}\p{N}])['\u2018]/gu;

/** What ends a quotation by the mark that opens it: with `closes` as its mark does, else without having been one. */
const endings = {
  plain: /(?<closes>")/gu,
  curved: /(?<closes>\u201d)/gu,
  single: /(?<closes>['\u2019](?![\p{L}\p{N}]))|\n|['\u2019](?!\p{L})/gu,
};

/** A longer text between two marks is no quotation. In UTF-16 units, as all lengths here. */
const longestQuoted = 2_000;

/**
 * With spaces for what stands in quotation marks, when that is more than two words. As long as the text. Takes time linear in
 * the text: what ends a quotation is looked for from where the last one was found, not from each mark that opens one.
 */
export function withoutQuotations(text: string): string {
  const ahead = {
    plain: endsIn(text, endings.plain),
    curved: endsIn(text, endings.curved),
    single: endsIn(text, endings.single),
  };
  const parts: string[] = [];
  let copied = 0;
  let end = 0;
  for (const { 0: mark, index } of text.matchAll(opening)) {
    if (index < end) continue;
    const kind = mark === '"' ? "plain" : mark === "\u201c" ? "curved" : "single";
    const found = ahead[kind](index + 1);
    const length = found.index - index - 1;
    if (!found.closes || length > longestQuoted || (kind === "single" && length === 0)) continue;
    end = found.index + 1;
    const quoted = text.slice(index, end);
    if (quoted.split(/\s/).length <= 2) continue;
    parts.push(text.slice(copied, index), " ".repeat(quoted.length));
    copied = end;
  }
  parts.push(text.slice(copied));
  return parts.join("");
}

interface End {
  readonly index: number;
  readonly closes: boolean;
}

/** The first end at a place or behind it; each is found once, as long as places only go up. */
function endsIn(text: string, ending: RegExp): (from: number) => End {
  let last: End = { index: -1, closes: false };
  return (from) => {
    if (last.index >= from) return last;
    ending.lastIndex = from;
    const found = ending.exec(text);
    last = { index: found?.index ?? Number.POSITIVE_INFINITY, closes: found?.groups?.["closes"] !== undefined };
    return last;
  };
}
