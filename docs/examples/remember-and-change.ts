// What `docs/guides/remember-and-change.md` shows: what becomes of a memory, from its first word to its erasure.
import { formatScope, type Loci, LociError, type MaintenanceReport, type Memory, type ScopeText } from "@loci/loci";

export async function rememberSome(loci: Loci): Promise<readonly Memory[]> {
  return loci.memories.rememberMany([
    { text: "Ann lives in Oslo.", scope: "user:ann", slot: "home" },
    { text: "Ann wants short answers.", scope: "user:ann", category: "preference", tags: ["style"] },
    { text: "The ferry is full in July.", scope: "user:ann", importance: 0.8, expiresAt: Date.UTC(2030, 7, 1) },
  ]);
}

export async function storeChat(loci: Loci, at: number): Promise<readonly Memory[]> {
  return loci.memories.rememberConversation({
    session: "ann-monday",
    scope: "user:ann",
    turns: [
      { id: "1", speaker: "Ann", role: "person", content: "My dog is called Bosse.", at },
      { id: "2", speaker: "Agent", role: "assistant", content: "Noted: Bosse.", at: at + 1000 },
    ],
  });
}

export async function whatHolds(loci: Loci, scope: ScopeText): Promise<readonly Memory[]> {
  const found: Memory[] = [];
  const validAt = Date.now();
  for (let pageToken: string | undefined; ;) {
    const page = await loci.memories.list({ scopes: [scope], validAt, pageSize: 1_000, pageToken });
    found.push(...page.memories);
    if (page.nextPageToken === undefined) return found;
    pageToken = page.nextPageToken;
  }
}

export async function whereMemoriesAre(loci: Loci): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let pageToken: string | undefined; ;) {
    const page = await loci.memories.scopes({ kind: "user", pageToken });
    for (const { scope, memories } of page.scopes) counts.set(formatScope(scope), memories);
    if (page.nextPageToken === undefined) return counts;
    pageToken = page.nextPageToken;
  }
}

export async function moveHouse(loci: Loci, id: Memory["id"]): Promise<Memory> {
  for (;;) {
    const { etag } = await loci.memories.get(id);
    try {
      return await loci.memories.update(id, { text: "Ann lives in Bergen.", tags: ["moved"] }, { etag });
    } catch (error) {
      // Somebody else changed it after it was read: read it again.
      if (!LociError.is(error) || error.reason !== "VERSION_CONFLICT") throw error;
    }
  }
}

export async function setTheme(loci: Loci, theme: string): Promise<Memory> {
  return loci.memories.update(
    { scope: "user:ann", key: "settings/theme" },
    { text: `Ann's theme is ${theme}.`, category: "preference" },
    { allowMissing: true },
  );
}

export async function undo(loci: Loci, id: Memory["id"]): Promise<Memory> {
  const [first] = await loci.memories.versions(id);
  if (first === undefined) throw new Error("Every memory has a first version.");
  return loci.memories.restore(id, first.version);
}

export async function useAndSay(loci: Loci, query: string): Promise<readonly string[]> {
  const { hits } = await loci.recall({ query, scopes: ["user:ann"], limit: 3 });
  await loci.memories.markUsed(hits.map(({ memory }) => memory.id));
  return hits.map(({ text }) => text);
}

export async function forgetAndBringBack(loci: Loci, { id, etag, version }: Memory): Promise<Memory> {
  await loci.memories.forget(id, { etag });
  return loci.memories.restore(id, version);
}

export async function deleteUser(loci: Loci, user: string): Promise<MaintenanceReport> {
  const trial = await loci.maintenance.erase({ user, dryRun: true });
  console.log(`${trial.counts["found"]} memories and ${trial.counts["foundSessions"]} sessions would go.`);
  const receipt = await loci.maintenance.erase({ user });
  console.log(JSON.stringify({ counts: receipt.counts, notes: receipt.notes }));
  return receipt;
}
