import { isPlainObject, LociError, type ToolDefinition } from "@loci/domain";
import type { ToolDefinition as ProtoToolDefinition } from "../gen/loci/v1/context_service.ts";
import { withoutUndefined } from "./read-value.ts";
import { type Form, listOf } from "./request-form.ts";
import { optionally, writablePrompt } from "./writable-value.ts";

type JsonSchema = NonNullable<ToolDefinition["function"]["parameters"]>;

/**
 * Tools in the OpenAI form; fields a provider has added are left behind. A schema crosses as JSON, because its tokens
 * depend on the order of its names.
 */
export const toolDefinitions: Form<readonly ToolDefinition[], ProtoToolDefinition[]> = listOf({
  write: toolToProto,
  read: toolFromProto,
});

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
  try {
    return JSON.stringify(schema);
  } catch (cause) {
    // It contains itself or a bigint.
    return refuse(field, cause);
  }
}

function schemaFromProto(json: string, field: string): JsonSchema {
  let schema: unknown;
  try {
    schema = JSON.parse(json);
  } catch {
    // What JSON.parse says quotes the text.
    return refuse(field);
  }
  return isPlainObject(schema) ? schema : refuse(field);
}

function refuse(field: string, cause?: unknown): never {
  throw new LociError("INVALID_REQUEST", {
    message: `${field} is not a JSON object.`,
    field,
    advice: "Pass a JSON schema, or leave it out for a function without parameters.",
    cause,
  });
}
