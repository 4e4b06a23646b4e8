import { optional, type RememberInput } from "@loci/domain";
import { Memory as ProtoMemory } from "../gen/loci/v1/memory.ts";
import { optionalInstantFromProto, optionalInstantToProto } from "./instant.ts";
import { memoryContent } from "./memory-content.ts";
import { origins, repeats, trusts } from "./memory-words.ts";
import { required } from "./read-value.ts";
import { field, optionalWord, RequestForm, sameField } from "./request-form.ts";
import { identifierToProto } from "./identifier.ts";
import { scopeFromProto, scopeToProto } from "./scope.ts";
import { writableText } from "./writable-value.ts";

/** What a memory has that nobody gives it when it is new. */
type OutputOnly =
  | "id"
  | "updateTime"
  | "recordTime"
  | "version"
  | "etag"
  | "supersededBy"
  | "state"
  | "usage"
  | "embedding"
  | "slotValue"
  | "approvedBy"
  | "approveTime"
  | "warnings";

const { supersededBy: _, ...content } = memoryContent;

const rememberInput: RequestForm<RememberInput, ProtoMemory, OutputOnly> = new RequestForm<
  RememberInput,
  ProtoMemory,
  OutputOnly
>("input", {
  ...content,
  text: sameField("text", writableText),
  scope: field("scope", scopeToProto, scopeFromProto),
  key: sameField("key", optional(identifierToProto)),
  origin: optionalWord("origin", origins),
  trust: optionalWord("trust", trusts),
  createdAt: field("createTime", optionalInstantToProto, optionalInstantFromProto),
  repeat: optionalWord("repeat", repeats),
});

/**
 * @param path where the input stood, such as `inputs[2]`; at the top level fields are named without it
 * @throws LociError with the reason the engine has for the field at fault
 */
export function rememberInputToProto(input: RememberInput, path = ""): ProtoMemory {
  const given = path === "" ? rememberInput.toProto(input) : rememberInput.write(input, path);
  return { ...ProtoMemory.create(), ...given };
}

/**
 * Output-only fields are passed over.
 *
 * @param path as for {@link rememberInputToProto}
 * @throws LociError with the field at fault
 */
export function rememberInputFromProto(message: ProtoMemory | undefined, path = ""): RememberInput {
  const memory = required(message, path === "" ? "memory" : path);
  return path === "" ? rememberInput.fromProto(memory) : rememberInput.read(memory, path);
}
