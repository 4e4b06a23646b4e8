/** A part of a filter as somebody typed it. */
export interface WhereToken {
  readonly kind: "word" | "quoted" | "sign" | "end";
  /** Of a quoted one what is between the quotes. */
  readonly text: string;
  /** Where it begins, from 0. */
  readonly at: number;
}

/** What is wrong with a filter, and where, from 0. */
export class WhereError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const signs = ["!=", "<=", ">=", "=", "<", ">", "(", ")", ","] as const;

/** @throws WhereError for a quote that does not end */
export function whereTokens(text: string): readonly WhereToken[] {
  const tokens: WhereToken[] = [];
  for (let at = 0; at < text.length;) {
    const sign = signs.find((each) => text.startsWith(each, at));
    if (isSpace(text, at)) at++;
    else if (sign !== undefined) {
      tokens.push({ kind: "sign", text: sign, at });
      at += sign.length;
    } else if (text[at] === '"') {
      const { content, end } = quotedFrom(text, at);
      tokens.push({ kind: "quoted", text: content, at });
      at = end;
    } else {
      const begin = at;
      while (
        at < text.length &&
        !isSpace(text, at) &&
        text[at] !== '"' &&
        !signs.some((each) => text.startsWith(each, at))
      )
        at++;
      tokens.push({ kind: "word", text: text.slice(begin, at), at: begin });
    }
  }
  return [...tokens, { kind: "end", text: "", at: text.length }];
}

function isSpace(text: string, at: number): boolean {
  return text[at]?.trim() === "";
}

/** A backslash lets what is behind it stand for itself. */
function quotedFrom(text: string, begin: number): { readonly content: string; readonly end: number } {
  let content = "";
  for (let at = begin + 1; at < text.length; at++) {
    if (text[at] === '"') return { content, end: at + 1 };
    if (text[at] === "\\" && at + 1 < text.length) at++;
    content += text[at];
  }
  throw new WhereError('This quote has no end: write another ".', begin);
}
