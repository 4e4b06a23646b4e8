import { type BlockName, type BlockOperation, blockValue, type BlockValue, type Loci } from "@loci/loci";
import { asShown } from "./as-shown.ts";
import { asData } from "./tool-result.ts";

/** An operation as a model gives it: whether it has the parts of its kind is checked by the engine. */
export interface GivenOperation {
  readonly op: BlockOperation["op"];
  readonly field: string;
  readonly value: BlockValue;
  readonly old?: string | undefined;
}

/** The operations with the words of the block as they stand there, where a model names them as it was shown them. */
export async function meantOperations(
  loci: Loci,
  block: BlockName,
  operations: readonly GivenOperation[],
  call: { readonly signal: AbortSignal },
): Promise<readonly BlockOperation[]> {
  // Nothing is read for what cannot hold a character reference.
  if (!JSON.stringify(operations).includes("&")) return operations as readonly BlockOperation[];
  const { values } = await loci.blocks.get(block, call);
  return operations.map((operation) => {
    const stands = blockValue(values, operation.field) ?? "";
    const { op, old, value } = operation;
    return {
      ...operation,
      ...(typeof value === "string" ? { value: (op === "remove" ? named : written)(value, stands) } : {}),
      ...(old === undefined ? {} : { old: named(old, stands) }),
    } as BlockOperation;
  });
}

/** What stands there already, and is named by the words that were shown. */
function named(given: string, stands: BlockValue): string {
  if (typeof stands !== "object") return String(stands).includes(given) ? given : asShown(given, String(stands));
  return stands.includes(given) ? given : (stands.find((entry) => asData(entry) === given) ?? given);
}

/** What is to stand there, perhaps written out from what was shown. */
function written(given: string, stands: BlockValue): string {
  return asShown(given, typeof stands === "object" ? stands.join("\n") : String(stands));
}
