import { type Loci, LociError, memoryId } from "@loci/client";
import { loadedScope } from "./tenant-access.ts";

/** How many memories of a tenant are looked for by what they say, after all were read. */
const soughtByText = 10;

/** What one tenant was told is stored, so that it can be looked for later. */
export class AcknowledgedWrites {
  /** By memory: what it says. Several where an update was begun and its end is not known. */
  readonly #texts = new Map<string, readonly string[]>();
  /** By session: the turns that were acknowledged, in their order. */
  readonly #turns = new Map<string, string[]>();
  #count = 0;

  /** How many writes were acknowledged. */
  get count(): number {
    return this.#count;
  }

  /** Said before a memory is changed. */
  begin(id: string, text: string): void {
    this.#texts.set(id, [...(this.#texts.get(id) ?? []), text]);
  }

  stored(id: string, text: string): void {
    this.#count++;
    // In the order of the last change.
    this.#texts.delete(id);
    this.#texts.set(id, [text]);
  }

  appended(session: string, turn: number, content: string): void {
    this.#count++;
    const turns = this.#turns.get(session) ?? [];
    turns[turn - 1] = content;
    this.#turns.set(session, turns);
  }

  /** Reads everything. @returns a line for each write that is lost, other than it was acknowledged, or there twice */
  async findLost(loci: Loci): Promise<readonly string[]> {
    return [...(await this.#lostMemories(loci)), ...(await this.#lostTurns(loci)), ...(await this.#notFound(loci))];
  }

  /** Of the memories that were written last: those that their own text does not find. */
  async #notFound(loci: Loci): Promise<readonly string[]> {
    await loci.settled();
    const lost: string[] = [];
    for (const [id, [text, ...further]] of [...this.#texts].slice(-soughtByText)) {
      // Where an update was begun and its end is not known, it is not known either what it is found by.
      if (text === undefined || further.length > 0) continue;
      const { hits } = await loci.recall({ query: text, scopes: [loadedScope] });
      if (!hits.some(({ memory }) => memory.id === id))
        lost.push(`memory ${id} is there, but its own text does not find it`);
    }
    return lost;
  }

  async #lostMemories(loci: Loci): Promise<readonly string[]> {
    const found = new Map<string, string>();
    const seen = new Set<string>();
    const lost: string[] = [];
    for (let pageToken: string | undefined; ;) {
      const page = await loci.memories.list({ scopes: [loadedScope], pageSize: 1_000, pageToken });
      for (const { id, text } of page.memories) {
        // Every text is said once: a call that was repeated has stored it again.
        if (seen.has(text)) lost.push(`memory ${id} says what another one says`);
        seen.add(text);
        found.set(id, text);
      }
      pageToken = page.nextPageToken;
      if (pageToken === undefined) break;
    }
    for (const [id, texts] of this.#texts) {
      const text = found.get(id);
      if (text === undefined) lost.push(`memory ${id} is not listed, and ${await readAgain(loci, id)}`);
      else if (!texts.includes(text)) lost.push(`memory ${id} says something else than what was acknowledged last`);
    }
    return lost;
  }

  async #lostTurns(loci: Loci): Promise<readonly string[]> {
    const lost: string[] = [];
    for (const [id, expected] of this.#turns) {
      const contents = await turnsOf(loci, id, expected.length);
      for (const [place, content] of expected.entries())
        if (contents[place] !== content) lost.push(`session ${id} has not turn ${place + 1} as it was acknowledged`);
    }
    return lost;
  }
}

/** What the first turns of a session say. Empty where there is no such session. */
async function turnsOf(loci: Loci, id: string, last: number): Promise<readonly string[]> {
  try {
    const { turns } = await loci.sessions.turns({ scope: loadedScope, id }, { pageSize: 1_000, last });
    return turns.map(({ content }) => content);
  } catch (error) {
    if (LociError.is(error) && error.code === "NOT_FOUND") return [];
    throw error;
  }
}

/** What reading it by its id says: whether it is gone, or a list does not hold it. */
async function readAgain(loci: Loci, id: string): Promise<string> {
  try {
    await loci.memories.get(memoryId(id));
    return "is there when it is read";
  } catch (error) {
    return `reading it says ${LociError.is(error) ? error.reason : String(error)}`;
  }
}
