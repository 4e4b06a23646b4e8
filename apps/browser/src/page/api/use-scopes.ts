import type { ScopeMemories } from "@loci/api-web";
import { memories } from "./calls.ts";
import { type Loaded, useLoaded } from "./use-loaded.ts";

/** More scopes than a request may name are found by what is typed. */
const mostScopes = 1_000;

/** The scopes that the server's key covers and that hold memories, in the order of their names. */
export function useScopes(): Loaded<readonly ScopeMemories[]> {
  return useLoaded("scopes", async (signal) => {
    const { scopes } = await memories.listMemoryScopes({ pageSize: mostScopes }, { signal });
    return scopes;
  });
}
