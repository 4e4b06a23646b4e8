import type { BlockField, BlockSchema, BlockValues } from "@loci/domain";
import fc from "fast-check";

/** What breaks TOML, Markdown and lines, beside any other text. */
const pieces = [
  "## ",
  "\\",
  "\\## ",
  "\\\\## x",
  "# ",
  '"',
  '"""',
  "'''",
  "\n",
  "\r\n",
  "\r",
  "\u2028",
  "\t",
  "\f",
  "\v",
  "\b",
  "\u0000",
  "\u001f",
  "\u007f",
  "\u0085",
  "\uFEFF",
  "- ",
  "* ",
  "---",
  "block: x",
  "[a]",
  "{",
  "= 1",
  "# x",
  "😀",
  "\u00a0",
  " ",
  "a",
  "## Name",
  "[TASK] ",
  "<!--",
  "\u0301",
];

export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join("").toWellFormed());

/** Every type of field, some with titles, names that every object has among them. */
export const everyField: BlockSchema = {
  name: "every_field",
  fields: [
    { name: "name", type: "string" },
    { name: "constructor", type: "text" },
    { name: "seats", type: "integer" },
    { name: "active", type: "boolean" },
    { name: "since", type: "date" },
    { name: "tier", type: "choice", options: ["free", "team plan", "# hash"] },
    { name: "aboutThem", type: "text", title: "About: them" },
    { name: "tags", type: "list", max: 5, overflow: "archive" },
    { name: "rules_kept", type: "list", max: 4, overflow: "refuse" },
  ],
};

function valueOf(field: BlockField): fc.Arbitrary<unknown> {
  switch (field.type) {
    case "integer":
      return fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
    case "boolean":
      return fc.boolean();
    case "date":
      return fc
        .date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10));
    case "choice":
      return fc.constantFrom(...(field.options ?? []));
    case "list":
      return fc.array(hostileText, { maxLength: field.max ?? 6 });
    default:
      return hostileText;
  }
}

/** Values that {@link everyField} takes, not in normal form. */
export const anyValues: fc.Arbitrary<BlockValues> = fc.record(
  Object.fromEntries(everyField.fields.map((field) => [field.name, valueOf(field)])),
  { requiredKeys: [] },
) as fc.Arbitrary<BlockValues>;
