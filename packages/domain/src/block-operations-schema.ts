/** A JSON schema of the changes of a block that a model may propose: 1 to 64. */
export const blockOperationsSchema = {
  type: "array",
  minItems: 1,
  maxItems: 64,
  items: {
    type: "object",
    properties: {
      op: { type: "string", enum: ["set", "append", "remove", "replace"] },
      field: { type: "string" },
      value: {
        anyOf: [
          { type: "string" },
          { type: "number" },
          { type: "boolean" },
          { type: "array", items: { type: "string" } },
        ],
      },
      old: { type: "string", description: "For replace: what stands there now." },
    },
    required: ["op", "field", "value"],
    additionalProperties: false,
  },
} as const;
