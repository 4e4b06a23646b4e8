import type { KeptSession, Loci, ListSessionsRequest, SessionKeyInput, Turn } from "@loci/loci";

const pageSize = 1_000;

/** Every session of scopes, the one that was changed last first. */
export async function everySession(
  { sessions }: Loci,
  request: Pick<ListSessionsRequest, "scopes" | "state">,
  signal: AbortSignal,
): Promise<readonly KeptSession[]> {
  const found: KeptSession[] = [];
  for (let pageToken: string | undefined; ;) {
    const page = await sessions.list({ ...request, pageSize, pageToken }, { signal });
    found.push(...page.sessions);
    pageToken = page.nextPageToken;
    if (pageToken === undefined) return found.toSorted((left, right) => right.updatedAt - left.updatedAt);
  }
}

/** Turns of a session from one on, oldest first. */
export async function turnsFrom(
  loci: Loci,
  key: SessionKeyInput,
  { first, limit }: { readonly first: number; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly Turn[]> {
  return readPages(loci, key, { first, order: "oldestFirst", limit }, signal);
}

/** The last turns of a session, oldest first. */
export async function newestTurns(
  loci: Loci,
  key: SessionKeyInput,
  limit: number,
  signal: AbortSignal,
): Promise<readonly Turn[]> {
  return (await readPages(loci, key, { order: "newestFirst", limit }, signal)).toReversed();
}

interface TurnsWanted {
  readonly first?: number;
  readonly order: "oldestFirst" | "newestFirst";
  readonly limit: number;
}

/** A page may end before its number is reached, when its turns are large. */
async function readPages(
  { sessions }: Loci,
  key: SessionKeyInput,
  { first, order, limit }: TurnsWanted,
  signal: AbortSignal,
): Promise<readonly Turn[]> {
  const turns: Turn[] = [];
  for (let pageToken: string | undefined; ;) {
    // Without a number the engine says what is wrong with it
    const size = Math.min(limit - turns.length, pageSize);
    const page = await sessions.turns(key, { first, order, pageSize: size, pageToken }, { signal });
    turns.push(...page.turns);
    pageToken = page.nextPageToken;
    if (pageToken === undefined || turns.length >= limit) return turns;
  }
}
