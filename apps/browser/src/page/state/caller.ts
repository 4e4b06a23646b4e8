import { signal } from "@preact/signals";
import type { Caller } from "@loci/api-web";
import { status } from "../api/calls.ts";

/** Whom the server takes the page for, and what it has. Undefined: it is an older one, which does not say. */
export const caller = signal<Caller | undefined>(undefined);

/** Asks once. A server that does not answer is asked again by the views themselves. */
export async function loadCaller(): Promise<void> {
  try {
    ({ caller: caller.value } = await status.getCaller({}));
  } catch {
    caller.value = undefined;
  }
}

export function hasService(name: string): boolean {
  return caller.value?.services.includes(name) ?? false;
}
