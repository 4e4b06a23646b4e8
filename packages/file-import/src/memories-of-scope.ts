import type { CallOptions, Loci, Memory, ScopeInput } from "@loci/domain";

const pageSize = 1000;

/** Every active memory of a scope. */
export async function memoriesOfScope(
  loci: Loci,
  scope: ScopeInput,
  call: CallOptions | undefined,
): Promise<readonly Memory[]> {
  const memories: Memory[] = [];
  let pageToken: string | undefined;
  do {
    const page = await loci.memories.list({ scopes: [scope], pageSize, pageToken }, call);
    memories.push(...page.memories);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
  return memories;
}
