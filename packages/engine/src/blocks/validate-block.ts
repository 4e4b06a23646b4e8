import { coreMemoryTemplate, personaPreset, readBlockMarkdown, readBlockToml } from "@loci/core";
import {
  blockLabel,
  type BlockName,
  type BlockOwner,
  type BlockPatch,
  blockPolicies,
  type BlockPolicy,
  type BlockSchema,
  type BlockValues,
  checkChoice,
  checksOf,
  LociError,
  maxBlockBytes,
  parseBlockOwner,
  type ScopeInput,
} from "@loci/domain";

/** Most UTF-16 units of a reason, and of a description. */
const maxWords = 1_000;

/** What checks the name in a request about a block. */
export const blockNameChecks = {
  owner: (owner: ScopeInput): BlockOwner => parseBlockOwner(owner),
  label: (label: string): string => blockLabel(label),
};

const checkName = checksOf<BlockName>()("name", blockNameChecks);

/** A block's name that was checked. */
export interface CheckedName {
  readonly owner: BlockOwner;
  readonly label: string;
}

/** @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`, `INVALID_IDENTIFIER`, `INVALID_BLOCK` */
export function checkBlockName(name: BlockName): CheckedName {
  return checkName(name);
}

/** A text of at most 1,000 units, well-formed and without NUL. @throws LociError `INVALID_TEXT`, `TEXT_TOO_LARGE` */
export function checkReason(reason: unknown, field = "reason"): string | undefined {
  if (reason === undefined) return undefined;
  if (typeof reason !== "string" || !reason.isWellFormed() || reason.includes("\0"))
    throw new LociError("INVALID_TEXT", {
      message: `${field} is not well-formed text.`,
      field,
      advice: "Pass well-formed text without NUL characters, or leave it out.",
    });
  if (reason.length > maxWords)
    throw new LociError("TEXT_TOO_LARGE", {
      message: `${field} has ${reason.length} UTF-16 units, but at most ${maxWords} are allowed.`,
      field,
      advice: "Say it in a line or two.",
    });
  return reason.trim() === "" ? undefined : reason;
}

/** One line. @throws LociError as {@link checkReason} */
export function checkDescription(description: unknown): string | undefined {
  const text = checkReason(description, "description");
  if (text === undefined || !/[\n\r\u2028\u2029]/u.test(text)) return text;
  throw new LociError("INVALID_TEXT", {
    message: "description has a line break.",
    field: "description",
    advice: "Say in one line what the block is for.",
  });
}

/** @throws LociError `INVALID_REQUEST` */
export function checkPolicy(policy: unknown): BlockPolicy | undefined {
  return policy === undefined ? undefined : checkChoice(policy, blockPolicies, "policy");
}

type GivenContent = Pick<BlockPatch, "values" | "markdown" | "toml" | "operations"> & {
  readonly preset?: string | undefined;
};

/** Which of the forms of a content was given. @throws LociError `INVALID_REQUEST` when it is more than one */
export function givenContent(given: GivenContent, path: string): keyof GivenContent | undefined {
  const names = (["values", "markdown", "toml", "operations", "preset"] as const).filter(
    (name) => given[name] !== undefined,
  );
  if (names.length < 2) return names[0];
  throw new LociError("INVALID_REQUEST", {
    message: `${path} has ${names.join(" and ")}, which all say what the block is to hold.`,
    field: `${path}.${names[1]}`,
    advice: "Pass one of them.",
  });
}

/**
 * The values that a content stands for, not yet checked against the limits; `undefined` when none was given.
 *
 * @throws LociError `INVALID_BLOCK`, `INVALID_BLOCK_TEXT` with the line, `SCHEMA_NOT_FOUND` for an unknown preset
 */
export function contentValues(label: string, schema: BlockSchema, given: GivenContent): BlockValues | undefined {
  if (given.values !== undefined) return given.values;
  if (given.markdown !== undefined) return readBlockMarkdown(label, schema, checkForm(given.markdown, "markdown"));
  if (given.toml !== undefined) return readBlockToml(schema, checkForm(given.toml, "toml"));
  return given.preset === undefined ? undefined : personaPreset(checkForm(given.preset, "preset"));
}

/** What a block holds when nobody says. */
export function firstValues(schema: BlockSchema): BlockValues {
  return schema.name === "core_memory" ? { text: coreMemoryTemplate } : {};
}

function checkForm(text: unknown, field: string): string {
  if (typeof text === "string" && text.isWellFormed() && text.length <= 2 * maxBlockBytes) return text;
  throw new LociError("INVALID_BLOCK_TEXT", {
    message: `${field} is not well-formed text of at most ${2 * maxBlockBytes} UTF-16 units.`,
    field,
    advice: "Pass the block in the form in which Loci gives it.",
    details: { line: "1" },
  });
}
