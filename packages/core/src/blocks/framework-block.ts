import { type BlockPolicy, type BlockSchema, type BlockValues, defaultBlockTextLength } from "@loci/domain";
import { blockText } from "./block-text.ts";

/** A block in the form that agent frameworks know. */
export interface FrameworkBlock {
  readonly label: string;
  readonly value: string;
  readonly description: string;
  /** Most UTF-16 units of the value. */
  readonly limit: number;
  readonly read_only: boolean;
}

/** What {@link frameworkBlock} shows. */
export interface ShownBlock {
  readonly label: string;
  readonly schema: BlockSchema;
  readonly values: BlockValues;
  readonly policy: BlockPolicy;
  /** Default: the schema's. */
  readonly description?: string | undefined;
}

/**
 * A block as agent frameworks know it: its text form with a label, a description and a limit.
 *
 * @param limit most UTF-16 units of a text form. Default 1,500
 */
export function frameworkBlock(block: ShownBlock, limit: number = defaultBlockTextLength): FrameworkBlock {
  return {
    label: block.label,
    value: blockText(block.schema, block.values),
    description: block.description ?? block.schema.description ?? "",
    limit,
    read_only: block.policy === "read_only",
  };
}
