import {
  checkToolParameters,
  checkToolParametersSize,
  checkToolsSize,
  isPlainObject,
  LociError,
  type ToolDefinition,
  utf8ByteLength,
} from "@loci/domain";
import type { ToolDefinition as ProtoToolDefinition } from "../gen/loci/v1/context_service.ts";
import { withoutUndefined } from "./read-value.ts";
import { type Form, listOf } from "./request-form.ts";
import { optionally, writablePrompt } from "./writable-value.ts";

const toolList: Form<readonly ToolDefinition[], ProtoToolDefinition[]> = listOf({
  write: toolToProto,
  read: toolFromProto,
});

type JsonSchema = NonNullable<ToolDefinition["function"]["parameters"]>;

/**
 * Tools in the OpenAI form; fields a provider has added are left behind. A schema crosses as JSON, because its tokens
 * depend on the order of its names.
 */
export const toolDefinitions: Form<readonly ToolDefinition[], ProtoToolDefinition[]> = {
  write: toolList.write,
  read: (tools, path) => {
    // Before any of them is read.
    checkToolsSize(
      tools.reduce((bytes, { parameters = "" }) => bytes + utf8ByteLength(parameters), 0),
      path,
    );
    return toolList.read(tools, path);
  },
};

function toolFromProto({ name, description, parameters }: ProtoToolDefinition, path: string): ToolDefinition {
  return {
    type: "function",
    function: withoutUndefined({
      name,
      description,
      parameters: optionally(parameters, `${path}.function.parameters`, schemaFromProto),
    }),
  };
}

function toolToProto(tool: ToolDefinition, path: string): ProtoToolDefinition {
  if (!isPlainObject(tool) || !isPlainObject(tool.function))
    throw new LociError("INVALID_REQUEST", {
      message: `${path} must be a definition of a function.`,
      field: path,
      advice: 'Pass tools as for the OpenAI chat API: { type: "function", function: { name: "…" } }.',
    });
  const { name, description, parameters } = tool.function;
  return {
    name: writablePrompt(name, `${path}.function.name`),
    description: optionally(description, `${path}.function.description`, writablePrompt),
    parameters: optionally(parameters, `${path}.function.parameters`, schemaToProto),
  };
}

function schemaToProto(schema: JsonSchema, field: string): string {
  if (!isPlainObject(schema)) return refuse(field);
  checkToolParameters(schema, field);
  return JSON.stringify(schema);
}

function schemaFromProto(json: string, field: string): JsonSchema {
  checkToolParametersSize(json, field);
  let schema: unknown;
  try {
    schema = JSON.parse(json);
  } catch {
    // What JSON.parse says quotes the text.
    return refuse(field);
  }
  return isPlainObject(schema) ? schema : refuse(field);
}

function refuse(field: string): never {
  throw new LociError("INVALID_REQUEST", {
    message: `${field} is not a JSON object.`,
    field,
    advice: "Pass a JSON schema, or leave it out for a function without parameters.",
  });
}
