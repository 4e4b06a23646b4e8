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
  const fields: readonly (readonly [string, string | undefined])[] = [
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
  for (const [name, value] of fields) if (value !== undefined) printLine(`${name.padEnd(11)} ${forTerminal(value)}`);
  printLine(`\n${forTerminal(memory.text)}`);
}

function validity(memory: Memory): string | undefined {
  if (memory.validFrom === undefined && memory.validTo === undefined) return undefined;
  return `${formatInstant(memory.validFrom)} to ${formatInstant(memory.validTo)}`;
}
