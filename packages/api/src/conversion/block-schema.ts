import {
  type BlockField,
  type BlockFieldType,
  type BlockOverflow,
  type BlockSchema,
  checkFields,
  fieldsOf,
  LociError,
} from "@loci/domain";
import {
  type BlockField as ProtoBlockField,
  BlockFieldType as ProtoBlockFieldType,
  BlockOverflow as ProtoBlockOverflow,
  type BlockSchema as ProtoBlockSchema,
} from "../gen/loci/v1/block.ts";
import { blockValueFromProto, blockValueToProto } from "./block-value.ts";
import { Enumeration } from "./enumeration.ts";
import { nonEmptyList, required, withoutUndefined } from "./read-value.ts";
import { optionally, writableBoolean, writableInt32, writableList, writableText } from "./writable-value.ts";

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

const schemaFields = fieldsOf<BlockSchema>({ name: true, description: true, fields: true });
const fieldFields = fieldsOf<BlockField>({
  name: true,
  type: true,
  title: true,
  description: true,
  required: true,
  default: true,
  max: true,
  overflow: true,
  options: true,
});

/** @throws LociError `INVALID_SCHEMA`, as the engine would */
export function blockSchemaToProto(schema: BlockSchema): ProtoBlockSchema {
  return asSchemaError(() => {
    checkFields(schema, schemaFields, "schema");
    return {
      name: writableText(schema.name, "schema.name"),
      description: optionally(schema.description, "schema.description", writableText),
      fields: writableList(schema.fields, "schema.fields").map((field, index) =>
        fieldToProto(field, `schema.fields[${index}]`),
      ),
    };
  });
}

/** @throws LociError `INVALID_REQUEST`, `INVALID_SCHEMA` */
export function blockSchemaFromProto(message: ProtoBlockSchema | undefined): BlockSchema {
  const { name, description, fields } = required(message, "schema");
  return asSchemaError(() =>
    withoutUndefined({
      name,
      description,
      fields: fields.map((field, index) => fieldFromProto(field, `schema.fields[${index}]`)),
    }),
  );
}

function fieldToProto(field: BlockField, path: string): ProtoBlockField {
  checkFields(field, fieldFields, path);
  return {
    name: writableText(field.name, `${path}.name`),
    type: types.toProto(field.type, `${path}.type`),
    title: optionally(field.title, `${path}.title`, writableText),
    description: optionally(field.description, `${path}.description`, writableText),
    required: optionally(field.required, `${path}.required`, writableBoolean),
    default: optionally(field.default, `${path}.default`, blockValueToProto),
    max: optionally(field.max, `${path}.max`, writableInt32),
    overflow: overflows.optionalToProto(field.overflow, `${path}.overflow`),
    options: [...(optionally(field.options, `${path}.options`, writableList<string>) ?? [])],
  };
}

function fieldFromProto(field: ProtoBlockField, path: string): BlockField {
  return withoutUndefined({
    name: field.name,
    type: types.fromProto(field.type, `${path}.type`),
    title: field.title,
    description: field.description,
    required: field.required,
    default: field.default === undefined ? undefined : blockValueFromProto(field.default, `${path}.default`),
    max: field.max,
    overflow: overflows.optionalFromProto(field.overflow, `${path}.overflow`),
    options: nonEmptyList(field.options),
  });
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
