import { LociError } from "@loci/domain";
import { writableText } from "./writable-value.ts";

/** On the wire an empty token asks for the first page, which nobody means who passes one. */
export function pageTokenToProto(token: string, field: string): string {
  if (token !== "") return writableText(token, field, "INVALID_PAGE_TOKEN");
  throw new LociError("INVALID_PAGE_TOKEN", {
    message: "pageToken is empty.",
    field,
    advice: "Leave it out for the first page.",
  });
}

/** None is an empty one on the wire. */
export function optionalPageTokenToProto(token: string | undefined, field: string): string {
  return token === undefined ? "" : pageTokenToProto(token, field);
}

/** On the wire an empty token is none. */
export function pageTokenFromProto(token: string): string | undefined {
  return token === "" ? undefined : token;
}
