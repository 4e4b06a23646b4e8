/** What can be said of a field. `any`: whatever type its values have. */
export type WhereType = "text" | "number" | "boolean" | "time" | "list" | "any";

const types: Readonly<Record<string, WhereType>> = {
  category: "text",
  origin: "text",
  trust: "text",
  slot: "text",
  isStatic: "boolean",
  importance: "number",
  confidence: "number",
  createdAt: "time",
  tags: "list",
};

/** The fields that every memory has, for people. */
export const whereFields: string = `${Object.keys(types).join(", ")} and metadata.NAME`;

/** Undefined: there is no such field. */
export function typeOfField(field: string): WhereType | undefined {
  if (Object.hasOwn(types, field)) return types[field];
  return /^metadata\.[A-Za-z]\w{0,63}$/u.test(field) ? "any" : undefined;
}

/** What fields of a type can be compared by. */
export const signsOfType: Readonly<Record<WhereType, readonly string[]>> = {
  text: ["=", "!=", "in", "not in"],
  boolean: ["=", "!="],
  number: ["=", "!=", "<", "<=", ">", ">=", "in", "not in"],
  time: ["=", "!=", "<", "<=", ">", ">="],
  list: ["has"],
  any: ["=", "!=", "<", "<=", ">", ">=", "in", "not in"],
};
