import { shippedSchemas } from "@loci/core";
import { type BlockSchema, formatScope, globalScope } from "@loci/domain";
import { blockFamily, blockSchemaFamily, type LogEntry, type StoredResource } from "@loci/ledger";
import {
  type BlockRecord,
  blockRemoved,
  type BlockState,
  blockWritten,
  type EditState,
} from "../blocks/block-records.ts";
import { schemaRef } from "../blocks/block-schemas.ts";
import type { LineContent, LineSource } from "./line-source.ts";

/** A form of blocks that the tenant has made. */
export async function schemaLines(
  _source: LineSource,
  entry: LogEntry,
  { version, state, scope }: StoredResource,
): Promise<readonly LineContent[]> {
  if (entry.version !== version || state === undefined || formatScope(scope) !== formatScope(globalScope)) return [];
  return [{ type: "blockSchema", fields: { schema: state as BlockSchema } }];
}

/** A line for each version: the history of a block is what it is kept for. One that was removed has a version that says so. */
export async function blockLines(
  source: LineSource,
  entry: LogEntry,
  { ref, state }: StoredResource,
): Promise<readonly LineContent[]> {
  if (entry.kind !== blockWritten && entry.kind !== blockRemoved) return [];
  const { owner, message: _message, ...record } = entry.payload as BlockRecord;
  const { version } = entry;
  const previous = await commitBefore(source, entry);
  source.lastCommits.set(ref, { version, commitId: record.commitId });
  const form = await formOf(source, record.schema, state as BlockState | undefined);
  return [{ type: "block", fields: { owner, version, previous, ...record, form } }];
}

/** The commit that brought the version before. */
async function commitBefore(
  { ledger, tenant, signal, lastCommits }: LineSource,
  { ref, version }: LogEntry,
): Promise<string | undefined> {
  if (version === 1) return undefined;
  const known = lastCommits.get(ref);
  if (known?.version === version - 1) return known.commitId;
  const query = {
    family: blockFamily,
    ref,
    after: version - 2,
    before: version,
    order: "oldestFirst",
    limit: 1,
  } as const;
  const [before] = await ledger.resources.entries(tenant, query, { signal });
  return (before?.payload as BlockRecord | undefined)?.commitId;
}

/** The schema of a block, unless it comes with Loci. */
async function formOf(
  { ledger, tenant, signal }: LineSource,
  name: string,
  state: BlockState | undefined,
): Promise<BlockSchema | undefined> {
  if (state?.schema === name) return state.form;
  if (shippedSchemas.some((shipped) => shipped.name === name)) return undefined;
  const ref = schemaRef(name);
  const found = (await ledger.resources.get(tenant, blockSchemaFamily, [ref], { signal })).get(ref);
  return found?.state as BlockSchema | undefined;
}

/** An edit as it stands, decided or not. */
export async function editLines(
  _source: LineSource,
  entry: LogEntry,
  { ref, version, state }: StoredResource,
): Promise<readonly LineContent[]> {
  if (entry.version !== version || state === undefined) return [];
  return [{ type: "edit", fields: { id: ref, ...(state as EditState) } }];
}
