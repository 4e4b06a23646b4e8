import type { BlockField } from "@loci/domain";

/** A field's heading in Markdown: the schema's, else made of its name: `currentTask` is `Current Task`. */
export function blockFieldTitle(field: Pick<BlockField, "name" | "title">): string {
  return field.title ?? titleOfName(field.name);
}

/** A name as a title: words begin at capitals after small letters or digits, and behind underscores. */
export function titleOfName(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|_/g, " ")
    .split(" ")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
}
