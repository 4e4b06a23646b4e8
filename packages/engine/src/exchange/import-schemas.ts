import { shippedSchemas } from "@loci/core";
import { blockSchemaFamily } from "@loci/ledger";
import type { BlockServices } from "../blocks/block-services.ts";
import { listStored, maxSchemas, schemaRef, schemaWritten } from "../blocks/block-schemas.ts";
import { authoredBy } from "../calls/authored-by.ts";
import type { Call } from "../calls/call.ts";
import { isOutdated } from "../calls/version-conflict.ts";
import { erasedOf } from "../memories/erased-memories.ts";
import type { LineResult, LineResults } from "./line-results.ts";
import type { SchemaLine } from "./read-block-lines.ts";

/** Takes forms of blocks back. One of the same name stays as it is, and one that was deleted here stays so. */
export async function importSchemas(
  services: BlockServices,
  call: Call,
  lines: readonly SchemaLine[],
  results: LineResults,
): Promise<void> {
  for (const line of lines) results.set(line, await importSchema(services, call, line));
}

async function importSchema(services: BlockServices, call: Call, { schema }: SchemaLine): Promise<LineResult> {
  const { principal, signal } = call;
  const { ledger } = services;
  if (shippedSchemas.some(({ name }) => name === schema.name)) return "unchanged";
  const ref = schemaRef(schema.name);
  for (;;) {
    if ((await ledger.resources.get(principal.tenant, blockSchemaFamily, [ref], { signal })).has(ref))
      return "unchanged";
    if ((await erasedOf(ledger, principal.tenant, [ref], signal)).size > 0) return "erased";
    if ((await listStored(services, call)).length >= maxSchemas)
      return {
        reason: "BLOCK_LIMIT_EXCEEDED",
        problem: `There are ${maxSchemas} schemas, which is as many as may be.`,
      };
    const expect = [{ ref, version: 0 }];
    try {
      await ledger.commit({ ...authoredBy(principal), expect, changes: [schemaWritten(schema, 1)] }, { signal });
      return "imported";
    } catch (error) {
      if (!isOutdated(error)) throw error;
    }
  }
}
