import { type DescMessage, fromJson, type JsonObject, type JsonValue, ScalarType, toJson } from "@bufbuild/protobuf";
import { unpackedMemoryIds } from "@loci/domain";
import { contract, methodOf } from "./contract.ts";
import { Masks } from "./masks.ts";
import type { ScenarioStep } from "./scenario-step.ts";

/**
 * The lines of a program in the one form that lines are compared in: messages as the contract's JSON has them without what
 * protobuf leaves open, keys sorted, and masks in place of what differs from run to run.
 *
 * @param output what the program printed
 * @returns a line for each step
 * @throws Error when the program did not print one line for each step, in order, that fits the contract
 */
export function canonicalForm(output: string, steps: readonly ScenarioStep[]): readonly string[] {
  const lines = output.trimEnd().split("\n");
  const masks = new Masks();
  const canonical = steps.map((step, index) => {
    const line = lines[index];
    if (line === undefined) throw new Error(`the output ends before the step ${step.step}`);
    try {
      return JSON.stringify(masks.apply(sorted(plainLine(JSON.parse(line) as JsonObject, step))));
    } catch (error) {
      throw new Error(`${step.step} was answered with a line that cannot be compared: ${line.slice(0, 400)}`, {
        cause: error,
      });
    }
  });
  if (lines.length > steps.length) throw new Error(`${lines.length - steps.length} lines more than steps were printed`);
  return canonical;
}

function plainLine(line: JsonObject, { step, call }: ScenarioStep): JsonObject {
  if (line["step"] !== step) throw new Error(`it is of the step ${JSON.stringify(line["step"])}`);
  const { output } = methodOf(call);
  if (line["error"] !== undefined) return { step, error: plainError(line["error"] as JsonObject) };
  if (Array.isArray(line["answers"])) return { step, answers: line["answers"].map((each) => plain(each, output)) };
  if (line["answer"] !== undefined) return { step, answer: plain(line["answer"], output) };
  throw new Error("it has neither answer nor answers nor error");
}

function plain(message: JsonValue, type: DescMessage): JsonValue {
  const said = toJson(type, fromJson(type, message, { registry: contract }), { registry: contract });
  const packed = type.fields.filter(({ fieldKind, scalar }) => fieldKind === "scalar" && scalar === ScalarType.BYTES);
  if (packed.length === 0) return said;
  return {
    ...(said as JsonObject),
    ...Object.fromEntries(packed.map(({ jsonName }) => [jsonName, unpacked(said, jsonName)])),
  };
}

/** What bytes say here: ids, which are compared as others are. */
function unpacked(message: JsonValue, name: string): JsonValue {
  const bytes = (message as JsonObject)[name];
  return typeof bytes === "string" ? [...unpackedMemoryIds(Buffer.from(bytes, "base64"))] : [];
}

/** An error without what it does not say. Whether client or server notices first that time is up is chance. */
function plainError(error: JsonObject): JsonValue {
  const { code, reason } = error;
  if (code === "DEADLINE_EXCEEDED") return { code, reason: reason ?? null };
  const said = Object.entries(error).filter(
    ([, value]) => value !== null && value !== "" && !(typeof value === "object" && Object.keys(value).length === 0),
  );
  return Object.fromEntries(said);
}

/** Also in texts that are JSON, such as the lines of an export: in what order a map's keys cross the wire is chance. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value === "string" && value.startsWith('{"')) return sortedText(value);
  if (typeof value !== "object" || value === null) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] as JsonValue)]));
}

function sortedText(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text) as JsonValue));
  } catch {
    return text;
  }
}
