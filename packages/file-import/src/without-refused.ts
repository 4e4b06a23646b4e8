import { type CallOptions, type Loci, LociError, type RememberInput } from "@loci/domain";

/** Stores memories together, without those that hold a secret. @returns how many are stored */
export async function rememberWithoutRefused(
  loci: Loci,
  inputs: readonly RememberInput[],
  call: CallOptions | undefined,
): Promise<number> {
  if (!(await isRefused(() => loci.memories.rememberMany(inputs, call)))) return inputs.length;
  let stored = 0;
  // One by one, so that each is looked at once more however many hold secrets.
  for (const input of inputs) if (!(await isRefused(() => loci.memories.rememberMany([input], call)))) stored += 1;
  return stored;
}

/** Whether what was to be stored holds a secret. */
export async function isRefused(store: () => Promise<unknown>): Promise<boolean> {
  try {
    await store();
    return false;
  } catch (error) {
    if (LociError.is(error) && error.reason === "SECRET_REFUSED") return true;
    throw error;
  }
}
