import { type CallOptions, formatScope, type Loci, LociError, type Memory, type MemoryPatch } from "@loci/loci";
import { asShown } from "./as-shown.ts";
import { memoryOfModels } from "./model-memory.ts";
import type { ToolEnvironment } from "./tool-environment.ts";

/** What a model says instead of what it stored. */
export interface Correction extends Pick<MemoryPatch, "category" | "importance" | "tags" | "provenance"> {
  readonly id: string;
  readonly text: string;
  /** Only where the memory is already: a correction moves nothing. */
  readonly scope: string | undefined;
}

/** What is sent, the same again when the server went away meanwhile: then it happens once. */
interface PreparedCorrection extends Pick<Memory, "id" | "etag"> {
  readonly patch: MemoryPatch;
}

/**
 * Lets a memory of a model say something else, true from now on: where both are shown it is newer than what was said in
 * between, and a memory that was over holds again. Who has said the former words is no source of the new ones. It stays
 * untrusted, whatever it says now.
 *
 * @param options with the idempotency key of the correction
 * @returns what does it. It may be called twice, see `runTool`
 * @throws LociError as `memoryOfModels`; `INVALID_SCOPE` for another scope than the memory's; `VERSION_CONFLICT` when somebody else
 *   has changed it meanwhile
 */
export function correctionBy(
  environment: Pick<ToolEnvironment, "scopes">,
  { id: named, ...correction }: Correction,
  options: CallOptions & { readonly signal: AbortSignal },
): (loci: Loci) => Promise<Memory> {
  const { signal } = options;
  let prepared: PreparedCorrection | undefined;
  return async (loci) => {
    prepared ??= prepare(await memoryOfModels(loci, environment, named, { signal }), correction);
    const { id, etag, patch } = prepared;
    return loci.memories.update(id, patch, { etag }, options).catch((error: unknown) => {
      throw forModel(error);
    });
  };
}

function prepare(memory: Memory, { scope, text: given, ...rest }: Omit<Correction, "id">): PreparedCorrection {
  checkScope(memory, scope);
  const { id, etag, validTo } = memory;
  const text = asShown(given, memory.text);
  if (text === memory.text) return { id, etag, patch: { ...rest, text } };
  const isOver = validTo !== undefined && validTo <= Date.now();
  const patch = { ...rest, text, provenance: rest.provenance ?? null };
  return { id, etag, patch: isOver ? { ...patch, validTo: null } : patch };
}

function checkScope({ id, scope }: Memory, named: string | undefined): void {
  const kept = formatScope(scope);
  if (named === undefined || named === kept) return;
  throw new LociError("INVALID_SCOPE", {
    message: `The memory ${id} is of ${kept}, and a correction does not move it to ${named}.`,
    field: "scope",
    resource: id,
    advice: `Leave out scope to correct it where it is, or leave out corrects to store this in ${named}.`,
  });
}

/** A model has no etag to send. */
function forModel(error: unknown): unknown {
  if (!LociError.is(error) || error.reason !== "VERSION_CONFLICT") return error;
  return new LociError(error.reason, {
    ...error.toJSON(),
    message: "Somebody else has changed this memory just now.",
    advice: "Recall it to see what it says, and correct it again if that is still wrong.",
    cause: error,
  });
}
