import { type FrameworkBlock, frameworkBlock, isDocument } from "@loci/core";
import { type CallOptions, defaultBlockTextLength, type Loci, maxBlockBytes, type ScopeInput } from "@loci/domain";

export interface FrameworkBlocksOptions extends CallOptions {
  /** Most UTF-16 units of a block's text, as the engine was told. Default 1,500. Documents may be as long as any block. */
  readonly limit?: number | undefined;
}

/**
 * The blocks of an owner as agents' frameworks know them: `{ label, value, description, limit, read_only }`, by label.
 *
 * @throws LociError as `blocks.list`
 */
export async function frameworkBlocks(
  loci: Pick<Loci, "blocks">,
  owner: ScopeInput,
  { limit = defaultBlockTextLength, ...call }: FrameworkBlocksOptions = {},
): Promise<readonly FrameworkBlock[]> {
  const [blocks, schemas] = await Promise.all([loci.blocks.list({ owner }, call), loci.blocks.schemas.list(call)]);
  const byName = new Map(schemas.map((schema) => [schema.name, schema]));
  return blocks.flatMap((block) => {
    const schema = byName.get(block.schema);
    // A block was made of a form that was removed meanwhile.
    if (schema === undefined) return [];
    return [frameworkBlock({ ...block, schema }, isDocument(schema) ? maxBlockBytes : limit)];
  });
}
