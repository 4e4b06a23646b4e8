import { type Category, LociError } from "@loci/domain";
import { writableList, writableText } from "./writable-value.ts";

/**
 * Categories to search in. On the wire an empty list asks for all of them; in process it is refused, so it is here.
 *
 * @throws LociError `INVALID_CATEGORY`
 */
export function categoriesToProto(categories: readonly Category[], field: string): string[] {
  const written = writableList(categories, field, "INVALID_CATEGORY").map((category, index) =>
    categoryToProto(category, `${field}[${index}]`),
  );
  if (written.length > 0) return written;
  throw new LociError("INVALID_CATEGORY", {
    message: `${field} is empty.`,
    field,
    advice: "Leave it out to search in every category.",
  });
}

export function categoryToProto(category: string, field: string): string {
  return writableText(category, field, "INVALID_CATEGORY");
}
