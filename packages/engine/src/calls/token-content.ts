import { sha256 } from "./content-hash.ts";

/** Of a token that was made here: names and numbers of one place. */
const mostCharacters = 8_192;

/**
 * What stands in the token of a page.
 *
 * @throws TypeError or SyntaxError for what cannot be one. It is not read when it is longer than any: anybody can make a token
 */
export function readTokenContent(token: unknown): readonly unknown[] {
  if (typeof token !== "string" || token.length > mostCharacters) throw new TypeError("not a token");
  const content: unknown = JSON.parse(Buffer.from(token, "base64url").toString());
  if (!Array.isArray(content)) throw new TypeError("not a token");
  return content;
}

/** Tells the query that a token is of from others: the token is good for nothing else. */
export function queryFingerprint(query: readonly unknown[]): string {
  return sha256(JSON.stringify(query)).slice(0, 16);
}
