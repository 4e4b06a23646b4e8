import { formatScope } from "@loci/domain";
import type { Memory } from "@loci/loci";
import { forTerminal, formatInstant, oneLine } from "./format-text.ts";
import { printLine, printNote } from "./terminal.ts";

/** Prints one line a memory, which says of what is not active in which state it is, and of what holds no more until when it did. */
export function printMemoryLines(memories: readonly Memory[], now: number = Date.now()): void {
  for (const memory of memories) {
    const { id, createdAt, scope, category, text, state, validTo } = memory;
    const standing = state === "active" ? "" : `${state}: `;
    const until = validTo === undefined || validTo > now ? "" : `until ${formatInstant(validTo)}: `;
    printLine(
      `${id}  ${formatInstant(createdAt)}  ${forTerminal(formatScope(scope))}  ${category.padEnd(10)}  ${standing}${until}${oneLine(text, 80)}`,
    );
  }
}

/** Prints what is to be said of a memory that was stored, apart from it. */
export function printWarnings({ warnings = [] }: Memory): void {
  for (const { message, advice } of warnings) printNote(`Warning: ${forTerminal(`${message} ${advice}`)}`);
}

/** Prints a memory with all its fields. */
export function printMemory(memory: Memory): void {
  for (const [name, value] of fieldsOf(memory))
    if (value !== undefined) printLine(`${name.padEnd(11)} ${forTerminal(value)}`);
  printLine(`\n${forTerminal(memory.text)}`);
}

/** Prints a line a version, and below it the fields that it changed. */
export function printVersions(versions: readonly Memory[]): void {
  let former: ReadonlyMap<string, string | undefined> | undefined;
  for (const memory of versions) {
    const { version, recordedAt, state, text } = memory;
    printLine(`${String(version).padStart(4)}  ${formatInstant(recordedAt)}  ${state.padEnd(8)}  ${oneLine(text, 90)}`);
    const fields = new Map(fieldsOf(memory));
    for (const [name, value] of fields)
      if (former !== undefined && !ofEveryVersion.has(name) && former.get(name) !== value)
        printLine(forTerminal(`      ${name}: ${former.get(name) ?? "–"} → ${value ?? "–"}`));
    former = fields;
  }
}

/** Fields that differ with each version, or say nothing of it. */
const ofEveryVersion: ReadonlySet<string> = new Set(["version", "updated", "used", "embedding", "etag"]);

/** What is told of a memory besides its text, for people. Undefined: it has none of it. */
function fieldsOf(memory: Memory): readonly (readonly [string, string | undefined])[] {
  return [
    ["id", memory.id],
    ["version", `${memory.version} (${memory.state})`],
    ["scope", formatScope(memory.scope)],
    ["key", memory.key],
    ["category", memory.category],
    [
      "importance",
      `${memory.importance}${memory.isStatic ? ", static" : ""}${memory.isPinned === true ? ", pinned" : ""}`,
    ],
    ["confidence", String(memory.confidence)],
    ["tags", memory.tags.length === 0 ? undefined : memory.tags.join(", ")],
    ["slot", memory.slot],
    ["origin", `${memory.origin}, ${memory.trust}`],
    ["approved", memory.approvedBy && `by ${memory.approvedBy}, ${formatInstant(memory.approvedAt)}`],
    [
      "source",
      memory.provenance &&
        `${memory.provenance.sourceId} (${memory.provenance.kind}${memory.provenance.position === undefined ? "" : `, position ${memory.provenance.position}`})`,
    ],
    ["metadata", Object.keys(memory.metadata).length === 0 ? undefined : JSON.stringify(memory.metadata)],
    ["created", formatInstant(memory.createdAt)],
    ["updated", formatInstant(memory.updatedAt)],
    ["valid", validity(memory)],
    ["replaced by", memory.supersededBy],
    ["expires", memory.expiresAt === undefined ? undefined : formatInstant(memory.expiresAt)],
    ["used", `${memory.usage.accessCount} times, last ${formatInstant(memory.usage.lastAccessedAt)}`],
    ["embedding", memory.embedding],
    ["etag", memory.etag],
  ];
}

function validity(memory: Memory): string | undefined {
  if (memory.validFrom === undefined && memory.validTo === undefined) return undefined;
  return `${formatInstant(memory.validFrom)} to ${formatInstant(memory.validTo)}`;
}
