import { type Block, type BlockField, type BlockSchema, type BlockValue, blockValue, formatScope } from "@loci/loci";
import { asData } from "./tool-result.ts";

/**
 * A block as a model is shown it: each field by the name that `edit_block` takes, those without a value too, and what stands
 * there as it is, so that it can be named as it is shown.
 */
export function shownBlock({ owner, label, version, policy, values }: Block, { fields }: BlockSchema): string {
  const locked = policy === "read_only" ? ", which nobody may change" : "";
  return [
    `${label} of ${formatScope(owner)}, version ${version}${locked}`,
    ...fields.map((field) => shownField(field, blockValue(values, field.name))),
  ].join("\n");
}

function shownField({ name, type, options, max }: BlockField, value: BlockValue | undefined): string {
  const kind = [
    type === "choice" ? `one of ${(options ?? []).join(", ")}` : type,
    ...(type === "list" && max !== undefined ? [`at most ${max}, then the oldest becomes a memory`] : []),
  ].join(", ");
  const heading = `${name} (${asData(kind)}):`;
  if (value === undefined) return `${heading} nothing yet`;
  if (typeof value === "object") return [heading, ...value.map((entry) => `- ${asData(entry)}`)].join("\n");
  const text = asData(String(value));
  return text.includes("\n") ? `${heading}\n${text}` : `${heading} ${text}`;
}
