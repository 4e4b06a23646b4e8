/** What a model may ask of Anthropic's memory tool (`memory_20250818`). */
export type MemoryCommand =
  | { readonly command: "view"; readonly path: string; readonly view_range?: readonly number[] | undefined }
  | { readonly command: "create"; readonly path: string; readonly file_text: string }
  | { readonly command: "str_replace"; readonly path: string; readonly old_str: string; readonly new_str: string }
  | {
      readonly command: "insert";
      readonly path: string;
      readonly insert_line: number;
      readonly insert_text: string;
    }
  | { readonly command: "delete"; readonly path: string }
  | { readonly command: "rename"; readonly old_path: string; readonly new_path: string };

/** A command of that name. */
export type MemoryCommandOf<Name extends MemoryCommand["command"]> = Extract<MemoryCommand, { command: Name }>;

/** What a command is refused for, in the words that the model is told. */
export class MemoryToolError extends Error {
  override readonly name = "MemoryToolError";
}

type FieldType = "string" | "number" | "numbers";

const fieldsOf: Readonly<Record<MemoryCommand["command"], Readonly<Record<string, FieldType>>>> = {
  view: { path: "string" },
  create: { path: "string", file_text: "string" },
  str_replace: { path: "string", old_str: "string", new_str: "string" },
  insert: { path: "string", insert_line: "number", insert_text: "string" },
  delete: { path: "string" },
  rename: { old_path: "string", new_path: "string" },
};

/** Checks what a model gave: neither it nor every API between keeps to a schema. @throws MemoryToolError */
export function checkMemoryCommand(given: unknown): MemoryCommand {
  const fields = (typeof given === "object" && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
  const { command, view_range: range } = fields;
  if (typeof command !== "string" || !Object.hasOwn(fieldsOf, command))
    throw new MemoryToolError(`Unknown command. It is one of ${Object.keys(fieldsOf).join(", ")}.`);
  for (const [name, type] of Object.entries(fieldsOf[command as MemoryCommand["command"]])) {
    const value = fields[name];
    const isRight = type === "number" ? Number.isInteger(value) : typeof value === "string";
    if (!isRight) throw new MemoryToolError(`The command ${command} needs ${name} as a ${type}.`);
  }
  if (command === "view" && range !== undefined && range !== null && !isRange(range))
    throw new MemoryToolError("view_range is two line numbers: the first, and the last or -1.");
  return fields as unknown as MemoryCommand;
}

function isRange(range: unknown): boolean {
  return Array.isArray(range) && range.every((line) => Number.isInteger(line));
}
