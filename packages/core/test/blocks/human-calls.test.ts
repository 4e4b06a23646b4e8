import { LociError } from "@loci/domain";
import { expect, test } from "vitest";
import {
  applyHumanCall,
  blockText,
  checkBlockValues,
  type HumanCall,
  parseBlockSchema,
  personaPreset,
  personaText,
  presetNames,
  shippedSchema,
  shippedSchemas,
} from "../../src/index.ts";
import forms from "../golden/block-forms.json" with { type: "json" };
import golden from "../golden/block-entries.json" with { type: "json" };
import { goldenValues } from "./golden-schema.ts";

test("the golden file is whole", () => expect(golden.cases).toHaveLength(30));

test.each(golden.cases)("$name", ({ in: given, out }) => {
  let values = goldenValues(given.values);
  let version = 1;
  const steps = given.calls.map((call) => {
    try {
      const outcome = applyHumanCall(values, call as HumanCall, call.at);
      ({ values } = outcome);
      if (outcome.changed) version++;
      return { version, archived: outcome.archived };
    } catch (error) {
      if (!LociError.is(error)) throw error;
      return { error: error.reason };
    }
  });
  expect(steps).toEqual(out.steps);
  expect(values).toEqual(out.values);
  expect(blockText(shippedSchema("human"), values)).toBe(out.text);
});

test("setState takes the five states, and one that is set already makes no version", () => {
  const call = { call: "setState", state: "thinking" } as const;
  expect(applyHumanCall({}, call, 0)).toMatchObject({ changed: true, values: { sessionState: "thinking" } });
  expect(applyHumanCall({ sessionState: "thinking" }, call, 0).changed).toBe(false);
  expect(() => applyHumanCall({}, { call: "setState", state: "asleep" as never }, 0)).toThrow(
    expect.objectContaining({ reason: "INVALID_BLOCK" }),
  );
});

test("the shipped schemas are those of the golden cases", () => {
  const known = new Map(forms.cases.map(({ in: { label, schema } }) => [label, schema]));
  // A persona has a form of its own, and a file of a memory tool stands in no context.
  for (const { name, fields } of shippedSchemas.filter((schema) => !["persona", "memory_file"].includes(schema.name)))
    expect(fields.map((field) => (field.type === "list" ? { overflow: "refuse", ...field } : field))).toEqual(
      known.get(name),
    );
  expect(shippedSchemas.map(({ name }) => name).join(", ")).toBe(
    "persona, human, student, journey, engagement_strategy, core_memory, memory_file",
  );
});

test("presets are personas", () => {
  expect(presetNames.map((name) => personaText(personaPreset(name)).split("\n")[0])).toEqual([
    "[IDENTITY] Assistant | General-purpose AI assistant",
    "[IDENTITY] CodeHelper | Software development assistant",
    "[IDENTITY] Researcher | Research and analysis assistant",
  ]);
  expect(() => checkBlockValues(shippedSchema("persona"), {})).toThrow(
    expect.objectContaining({ reason: "INVALID_BLOCK" }),
  );
  expect(() => personaPreset("toString")).toThrow(expect.objectContaining({ reason: "SCHEMA_NOT_FOUND" }));
});

const field = (parts: string): string => `name = "x"\n[[fields]]\n${parts}`;

test.each([
  ['name = "x"', "INVALID_SCHEMA"],
  ["name = 1", "INVALID_BLOCK"],
  ["name =", "INVALID_BLOCK_TEXT"],
  [field('name = "9"\ntype = "text"'), "INVALID_SCHEMA"],
  [field('name = "__proto__"\ntype = "text"'), "INVALID_SCHEMA"],
  [field('name = "a"\ntype = "map"'), "INVALID_SCHEMA"],
  [field('name = "a"\ntype = "choice"'), "INVALID_SCHEMA"],
  [field('name = "a"\ntype = "boolean"\nmax = 3'), "INVALID_SCHEMA"],
  [field('name = "a"\ntype = "list"\noverflow = "archive"'), "INVALID_SCHEMA"],
  [field('name = "a"\ntype = "text"\ncolour = "red"'), "INVALID_SCHEMA"],
  [field('name = "a"\ntype = "text"\n[[fields]]\nname = "b"\ntype = "text"\ntitle = "A"'), "INVALID_SCHEMA"],
  [field('name = "a"\ntype = "integer"\ndefault = "b"'), "INVALID_BLOCK"],
])("refuses the schema %j", (toml, reason) => {
  expect(() => parseBlockSchema(toml)).toThrow(expect.objectContaining({ reason }));
});

test("a schema with an unknown part is refused by the name of that", () => {
  const schema = field('name = "a"\ntype = "text"\ncolour = "red"');
  expect(() => parseBlockSchema(schema)).toThrow('has the unknown part "colour"');
});
