import { LociError } from "@loci/domain";
import { writableText } from "./writable-value.ts";

/** On the wire an empty token asks for the first page, which nobody means who passes one. @throws LociError `INVALID_PAGE_TOKEN` */
export function pageTokenToProto(token: string | undefined): string {
  if (token === undefined) return "";
  if (token !== "") return writableText(token, "pageToken", "INVALID_PAGE_TOKEN");
  throw new LociError("INVALID_PAGE_TOKEN", {
    message: "pageToken is empty.",
    field: "pageToken",
    advice: "Leave it out for the first page.",
  });
}

export function pageTokenFromProto(token: string): string | undefined {
  return token === "" ? undefined : token;
}
