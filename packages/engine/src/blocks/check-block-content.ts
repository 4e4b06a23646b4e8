import { blockText, checkCoreMemory, humanText, isDocument, lineAges, readBlockToml, rotateHuman } from "@loci/core";
import {
  type BlockSchema,
  blockValue,
  type BlockValues,
  type Instant,
  isMemoryFileLabel,
  LociError,
  type Ref,
} from "@loci/domain";
import { blockFamily } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import type { BlockRecord } from "./block-records.ts";
import type { BlockServices } from "./block-services.ts";

/** What is to be written, and the block it is to be a version of. */
export interface CheckedContent {
  readonly ref: Ref;
  readonly label: string;
  readonly schema: BlockSchema;
  readonly values: BlockValues;
}

/** Versions that are looked through for how long lines have stood there. */
const mostVersions = 200;
/** Lines that an error names, and units of each. */
const mostLines = 10;
const mostUnits = 80;

/**
 * Checks that what a block shows in contexts is not too long: its text form, or for a core memory its own cap. A human block
 * may be longer, if rotation can make room in it.
 *
 * @throws LociError `BLOCK_LIMIT_EXCEEDED`; `INVALID_BLOCK_TEXT` for a core memory whose cap cannot be read
 */
export async function checkBlockContent(services: BlockServices, call: Call, content: CheckedContent): Promise<void> {
  const { schema, values, label } = content;
  if (schema.name === "core_memory") return checkCap(services, call, content);
  // A file of a memory tool stands in no context.
  if (isDocument(schema) || isMemoryFileLabel(label)) return;
  const { maxChars } = services.blockSettings;
  const length = schema.name === "human" ? leastLength(values, maxChars) : blockText(schema, values).length;
  if (length <= maxChars) return;
  throw new LociError("BLOCK_LIMIT_EXCEEDED", {
    message: `The block ${label} would take ${length} UTF-16 units of each context, more than the ${maxChars} allowed.`,
    field: "values",
    resource: label,
    advice: "Shorten it, or move what is seldom needed into memories.",
    details: { length: String(length), max: String(maxChars) },
  });
}

/** What is left of a human block when all that can go has gone. */
function leastLength(values: BlockValues, maxChars: number): number {
  const { length } = humanText(values);
  return length <= maxChars ? length : rotateHuman(values, { maxChars, threshold: 0, target: 1 }, 0).chars;
}

async function checkCap(services: BlockServices, call: Call, { ref, label, values }: CheckedContent): Promise<void> {
  const text = String(blockValue(values, "text") ?? "");
  const { counter } = await services.tokens.forModel(undefined);
  const check = checkCoreMemory(text, counter);
  if (check.allowed) return;
  const now = services.clock();
  const { recent, older } = lineAges([{ text, at: now }, ...(await formerTexts(services, call, ref))], now);
  const { lines, tokens, maxLines, maxTokens, heaviest = [] } = check;
  const cap = maxTokens === null ? `${maxLines} lines` : `${maxLines} lines and ${maxTokens} tokens`;
  throw new LociError("BLOCK_LIMIT_EXCEEDED", {
    message: `${label} would have ${lines} lines and ${tokens} tokens, more than its ${cap}.`,
    field: "values.text",
    resource: label,
    advice:
      "Demote lines that have stood there for long, shorten the heaviest sections, or raise the cap in its first comment.",
    details: {
      lines: String(lines),
      tokens: String(tokens),
      heaviest: JSON.stringify(heaviest.map((section) => ({ ...section, title: shortened(section.title) }))),
      recent: shownLines(recent),
      candidates: shownLines(older),
    },
  });
}

async function formerTexts(
  { ledger }: BlockServices,
  { principal, signal }: Call,
  ref: Ref,
): Promise<readonly { readonly text: string; readonly at: Instant }[]> {
  const entries = await ledger.resources.entries(
    principal.tenant,
    { family: blockFamily, ref, order: "newestFirst", limit: mostVersions },
    { signal },
  );
  const schema: BlockSchema = { name: "core_memory", fields: [{ name: "text", type: "text" }] };
  return entries.map(({ payload }) => {
    const { toml, at } = payload as BlockRecord;
    return { text: toml === null ? "" : String(blockValue(readBlockToml(schema, toml), "text") ?? ""), at };
  });
}

function shownLines(lines: readonly string[]): string {
  return JSON.stringify(lines.slice(0, mostLines).map(shortened));
}

function shortened(line: string): string {
  return line.length <= mostUnits ? line : `${line.slice(0, mostUnits - 1).toWellFormed()}…`;
}
