import { type CallOptions, connectLoci, type Loci, type Memory, type SessionKeyInput } from "@loci/client";
import { prose } from "../data/prose.ts";
import { AcknowledgedWrites } from "./acknowledged-writes.ts";
import type { PlannedCall } from "./planned-calls.ts";
import { loadedScope, type TenantAccess } from "./tenant-access.ts";

/** A session, and how many turns it has. Only one call at a time adds to it. */
interface OpenSession {
  readonly key: SessionKeyInput;
  turns: number;
}

/** How many memories one call stores while the tenant is prepared. */
const batch = 100;

/** The program of one tenant: its connection, what it has stored, and its sessions. Calls run beside each other. */
export class TenantProgram {
  readonly writes: AcknowledgedWrites = new AcknowledgedWrites();
  readonly #loci: Loci;
  readonly #name: string;
  /** Memories that no call changes at this moment. */
  readonly #unchanged: Memory[] = [];
  readonly #idleSessions: OpenSession[] = [];
  readonly #timeoutMilliseconds: number;
  #sessions = 0;
  #texts = 0;

  /** @param run makes its texts and sessions unlike those of other runs on the same servers */
  constructor({ tenant, credential, address }: TenantAccess, run: string, timeoutMilliseconds: number) {
    this.#name = `${run}-${tenant}`;
    this.#timeoutMilliseconds = timeoutMilliseconds;
    this.#loci = connectLoci({ address, apiKey: credential, timeoutMilliseconds });
  }

  /** Stores so many memories before the load. */
  async prepare(memories: number): Promise<void> {
    for (let done = 0; done < memories; done += batch) {
      const texts = Array.from({ length: Math.min(batch, memories - done) }, (_, place) =>
        this.#text(done + place + 1),
      );
      const stored = await this.#loci.memories.rememberMany(texts.map((text) => ({ text, scope: loadedScope })));
      for (const memory of stored) this.#stored(memory);
    }
    // What one call adds later is searched next to all that was there.
    await this.#loci.settled();
  }

  /** @throws LociError what the call was refused with, or why it could not be made */
  async call({ kind, seed }: PlannedCall): Promise<void> {
    // Of all that it takes together: a turn may begin a session first.
    const within = { deadline: Date.now() + this.#timeoutMilliseconds };
    switch (kind) {
      case "recall":
        await this.#loci.recall({ query: prose(seed, 1), scopes: [loadedScope] }, within);
        return;
      case "assemble":
        await this.#loci.assemble({
          query: prose(seed, 1),
          recall: { scopes: [loadedScope] },
          window: { preset: "8K" },
        });
        return;
      case "remember":
        this.#stored(await this.#loci.memories.remember({ text: this.#text(seed), scope: loadedScope }, within));
        return;
      case "update":
        return this.#update(seed, within);
      case "turn":
        return this.#turn(seed, within);
    }
  }

  close(): Promise<void> {
    return this.#loci.close();
  }

  /** What was acknowledged and is not there, or is there twice. With a connection of its own, after the load. */
  async findLost(): Promise<readonly string[]> {
    return this.writes.findLost(this.#loci);
  }

  async #update(seed: number, within: CallOptions): Promise<void> {
    const text = this.#text(seed);
    const [memory] = this.#unchanged.splice(seed % Math.max(1, this.#unchanged.length), 1);
    if (memory === undefined) {
      // All are being changed: there is always something to be stored.
      this.#stored(await this.#loci.memories.remember({ text, scope: loadedScope }, within));
      return;
    }
    this.writes.begin(memory.id, text);
    // A failure leaves open which version there is, so that it is not changed again.
    this.#stored(await this.#loci.memories.update(memory.id, { text }, { etag: memory.etag }, within));
  }

  async #turn(seed: number, within: CallOptions): Promise<void> {
    const session = this.#idleSessions.pop() ?? (await this.#createSession(within));
    const content = this.#text(seed);
    const turns = [{ role: session.turns % 2 === 0 ? "user" : "assistant", content } as const];
    // After a failure it is open whether the turn is there: the session is given up.
    const { lastTurn } = await this.#loci.sessions.append(session.key, { expectedLast: session.turns, turns }, within);
    this.writes.appended(session.key.id, lastTurn, content);
    session.turns = lastTurn;
    this.#idleSessions.push(session);
  }

  async #createSession(within: CallOptions): Promise<OpenSession> {
    const key = { scope: loadedScope, id: `${this.#name}-${++this.#sessions}` } as const;
    await this.#loci.sessions.create({ ...key, capture: "off" }, within);
    return { key, turns: 0 };
  }

  #stored(memory: Memory): void {
    this.writes.stored(memory.id, memory.text);
    this.#unchanged.push(memory);
  }

  /** About 130 characters that nothing else says. */
  #text(seed: number): string {
    return `${prose(seed, 2)} Told to ${this.#name} as number ${++this.#texts}.`;
  }
}
