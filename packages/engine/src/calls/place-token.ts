import { LociError } from "@loci/domain";
import { queryFingerprint, readTokenContent } from "./token-content.ts";

/**
 * The token of a page that goes on behind a place.
 *
 * @param query what the pages are pages of; the token is good for nothing else
 */
export function formatPlaceToken(place: readonly (string | number)[], query: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([queryFingerprint(query), ...place])).toString("base64url");
}

/**
 * The place that a token goes on behind; `undefined` without a token.
 *
 * @param read checks the parts of the place: anybody can make a token
 * @throws LociError `INVALID_PAGE_TOKEN` for anything that `formatPlaceToken` did not make for this query
 */
export function parsePlaceToken<Place>(
  token: unknown,
  query: readonly unknown[],
  read: (parts: readonly unknown[]) => Place,
): Place | undefined {
  if (token === undefined) return undefined;
  try {
    const content = readTokenContent(token);
    if (content[0] !== queryFingerprint(query)) throw new TypeError("not a token of this query");
    return read(content.slice(1));
  } catch (cause) {
    throw new LociError("INVALID_PAGE_TOKEN", {
      message: "pageToken does not continue this list.",
      field: "pageToken",
      advice: "Pass the nextPageToken of the page before, with everything else as it was.",
      cause,
    });
  }
}
