/** What a field of a block may hold. `string` has one line, `text` any number, `list` holds strings of one line. */
export const blockFieldTypes = ["string", "text", "integer", "boolean", "date", "choice", "list"] as const;

export type BlockFieldType = (typeof blockFieldTypes)[number];

/** What becomes of a list that would get longer than `max`: the write is refused, or its oldest entries become memories. */
export const blockOverflows = ["refuse", "archive"] as const;

export type BlockOverflow = (typeof blockOverflows)[number];

/** A field's value. Dates are `yyyy-mm-dd`. */
export type BlockValue = string | number | boolean | readonly string[];

/** The values of a block by the names of their fields. What is absent has no value. */
export type BlockValues = Readonly<Record<string, BlockValue>>;

/** One field of a schema. */
export interface BlockField {
  /** `[A-Za-z][A-Za-z0-9_]{0,63}`, other than that of any other field. */
  readonly name: string;
  readonly type: BlockFieldType;
  /** Its heading in Markdown. Default: made of the name. */
  readonly title?: string | undefined;
  /** What belongs here, for people and for models. */
  readonly description?: string | undefined;
  /** True: a block without a value here is refused. Default false. */
  readonly required?: boolean | undefined;
  /** What an absent field gets. */
  readonly default?: BlockValue | undefined;
  /** Most entries of a list, most UTF-16 units of a string or text. Default: what the block's own limits leave. */
  readonly max?: number | undefined;
  /** For lists. Default `refuse`. */
  readonly overflow?: BlockOverflow | undefined;
  /** For choices: what may be chosen, at least one. */
  readonly options?: readonly string[] | undefined;
}

/** The form of a block: its fields in the order in which they are written and shown. */
export interface BlockSchema {
  /** As a label. The schema of a block need not be called like it. */
  readonly name: string;
  /** What a block of this schema is for, for people and for models. */
  readonly description?: string | undefined;
  /** 1 to 64 fields. */
  readonly fields: readonly BlockField[];
}

/** Most fields of a schema. */
export const maxBlockFields: number = 64;

/** The value of a field, never anything that every object has. */
export function blockValue(values: BlockValues, name: string): BlockValue | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
