import type { MemoryRecord, Metadata } from "@loci/domain";
import type { IndexFields } from "@loci/store";

/** What a filter can ask about a memory, under the names filters use. Absent values are left out. @param declared of its metadata */
export function indexFieldsOf(memory: MemoryRecord, declared: Metadata): IndexFields {
  const fields: Record<string, IndexFields[string]> = {
    category: memory.category,
    origin: memory.origin,
    trust: memory.trust,
    isStatic: memory.isStatic,
    importance: memory.importance,
    confidence: memory.confidence,
    createdAt: memory.createdAt,
    tags: memory.tags,
  };
  if (memory.slot !== undefined) fields["slot"] = memory.slot;
  for (const [name, value] of Object.entries(declared)) fields[`metadata.${name}`] = value;
  return fields;
}
