import {
  type BlockField,
  type BlockFieldType,
  type BlockOverflow,
  type BlockSchema,
  LociError,
  optional,
} from "@loci/domain";
import {
  type BlockField as ProtoBlockField,
  BlockFieldType as ProtoBlockFieldType,
  BlockOverflow as ProtoBlockOverflow,
  type BlockSchema as ProtoBlockSchema,
} from "../gen/loci/v1/block.ts";
import { blockValueFromProto, blockValueToProto } from "./block-value.ts";
import { Enumeration } from "./enumeration.ts";
import { required } from "./read-value.ts";
import {
  field,
  listOf,
  optionalList,
  optionalPart,
  optionalWord,
  RequestForm,
  sameField,
  word,
} from "./request-form.ts";
import { optionalWritableInt32, same, writableBoolean, writableText } from "./writable-value.ts";

const types = new Enumeration<BlockFieldType, ProtoBlockFieldType>({
  string: ProtoBlockFieldType.STRING,
  text: ProtoBlockFieldType.TEXT,
  integer: ProtoBlockFieldType.INTEGER,
  boolean: ProtoBlockFieldType.BOOLEAN,
  date: ProtoBlockFieldType.DATE,
  choice: ProtoBlockFieldType.CHOICE,
  list: ProtoBlockFieldType.LIST,
});

const overflows = new Enumeration<BlockOverflow, ProtoBlockOverflow>({
  refuse: ProtoBlockOverflow.REFUSE,
  archive: ProtoBlockOverflow.ARCHIVE,
});

const schemaField: RequestForm<BlockField, ProtoBlockField> = new RequestForm<BlockField, ProtoBlockField>("field", {
  name: sameField("name", writableText),
  type: word("type", types),
  title: sameField("title", optional(writableText)),
  description: sameField("description", optional(writableText)),
  required: sameField("required", optional(writableBoolean)),
  default: optionalPart("default", { write: blockValueToProto, read: blockValueFromProto }),
  max: sameField("max", optionalWritableInt32),
  overflow: optionalWord("overflow", overflows),
  // The engine looks at each of them.
  options: optionalList("options", listOf({ write: same<string>, read: same })),
});
const schemaFields = listOf(schemaField);

const blockSchema: RequestForm<BlockSchema, ProtoBlockSchema> = new RequestForm<BlockSchema, ProtoBlockSchema>(
  "schema",
  {
    name: sameField("name", writableText),
    description: sameField("description", optional(writableText)),
    fields: field("fields", schemaFields.write, schemaFields.read),
  },
);

/** @throws LociError `INVALID_SCHEMA`, as the engine would */
export function blockSchemaToProto(schema: BlockSchema): ProtoBlockSchema {
  return asSchemaError(() => blockSchema.write(schema, "schema"));
}

/** @throws LociError `INVALID_REQUEST`, `INVALID_SCHEMA` */
export function blockSchemaFromProto(message: ProtoBlockSchema | undefined): BlockSchema {
  const given = required(message, "schema");
  return asSchemaError(() => blockSchema.read(given, "schema"));
}

/** Whatever is wrong with a schema has one reason. */
function asSchemaError<Result>(convert: () => Result): Result {
  try {
    return convert();
  } catch (error) {
    if (!LociError.is(error)) throw error;
    const { message, field, advice } = error;
    throw new LociError("INVALID_SCHEMA", { message, field, advice, cause: error });
  }
}
