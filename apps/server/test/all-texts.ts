import type { Loci, ScopeInput } from "@loci/loci";

/** The texts of all memories of a scope, page by page. */
export async function allTexts(loci: Pick<Loci, "memories">, scope: ScopeInput): Promise<readonly string[]> {
  const texts: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await loci.memories.list({ scopes: [scope], pageSize: 1_000, pageToken });
    texts.push(...page.memories.map(({ text }) => text));
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined && pageToken !== "");
  return texts;
}
