import { createHash, randomUUID } from "node:crypto";
import type { Sequence, TenantId } from "@loci/domain";
import type { CommitListener, Family, LeaseListener } from "@loci/ledger";
import { LedgerListeners } from "@loci/ledger/sql";
import { Client, type ClientConfig } from "pg";
import type { Connections } from "./connections.ts";
import { type Statement, statement } from "./statement.ts";

export interface CommitNotifierOptions {
  readonly connections: Connections;
  /** Of the connection that listens. Absent: other servers are only asked for, never heard. */
  readonly listener: ClientConfig | undefined;
  readonly schema: string;
  /** How often to look for what was not heard. */
  readonly pollMilliseconds: number;
  readonly reportProblem: (error: unknown, activity: string) => void;
}

/** What of a tenant's commits others have not been told of yet. */
interface Untold {
  readonly head: Sequence;
  readonly families: readonly Family[];
}

interface HeadRow {
  readonly tenant: TenantId;
  readonly head: Sequence;
  readonly seen: string;
}

/** A message takes 8,000 bytes at most, the name of a tenant 200. */
const headsPerMessage = 15;
const firstReconnectDelay = 100;
const longestReconnectDelay = 5_000;
/** While it listens. Only what a server committed that died before it could tell has to be found this way. */
const quietPolls = 5;

/**
 * Not in the commit's own transaction: PostgreSQL lets one transaction with a notification commit at a time, in the whole
 * cluster, and that while it waits for the disk.
 */
const notify = statement("SELECT pg_notify($1, $2)");

/** With time to spare for transactions that were slow to commit. */
const changedSince: Statement<HeadRow> = statement(
  `SELECT tenant, head, clock_timestamp()::text AS seen FROM tenants
     WHERE written_at >= $1::timestamptz - interval '1 minute'`,
);

const databaseTime: Statement<{ readonly seen: string }> = statement("SELECT clock_timestamp()::text AS seen");

/**
 * Tells the other servers on the database about commits and about leases that are asked for, and hears about theirs. Messages may
 * be lost: that costs a delay of one poll, or until a lease ends, nothing else.
 */
export class CommitNotifier {
  readonly #options: CommitNotifierOptions;
  readonly #channel: string;
  readonly #server = randomUUID();
  readonly #listeners = new LedgerListeners<Parameters<CommitListener>>();
  readonly #leaseListeners = new LedgerListeners<Parameters<LeaseListener>>();
  /** What has not been told yet. While one message is under way the next ones become one. */
  readonly #untold = new Map<TenantId, Untold>();
  #telling: Promise<void> | undefined;
  /** Heads that listeners have been told of, by this server or another. */
  readonly #known = new Map<TenantId, Sequence>();
  #client: Client | undefined;
  #isListening = false;
  #reconnectDelay = firstReconnectDelay;
  #reconnecting: ReturnType<typeof setTimeout> | undefined;
  #polling: ReturnType<typeof setInterval> | undefined;
  #polls = 0;
  #isPolling = false;
  #lastSeen: string | undefined;
  #closed = false;

  constructor(options: CommitNotifierOptions) {
    this.#options = options;
    this.#channel = `loci_${createHash("sha256").update(options.schema).digest("hex").slice(0, 16)}`;
  }

  /** Begins to listen with the first listener. */
  add(listener: CommitListener): () => void {
    const remove = this.#listeners.add(listener);
    this.#start();
    return remove;
  }

  /** After a commit of this server. */
  announce(tenant: TenantId, head: Sequence, families: readonly Family[]): void {
    this.#tell(tenant, head, families);
    const waiting = this.#untold.get(tenant)?.families ?? [];
    this.#untold.set(tenant, { head, families: [...new Set([...waiting, ...families])] });
    this.#telling ??= this.#notify();
  }

  /** Told of leases that are asked for. */
  addLeaseListener(listener: LeaseListener): () => void {
    const remove = this.#leaseListeners.add(listener);
    this.#start();
    return remove;
  }

  /** Tells everybody who may hold the lease that it is asked for. One that hears nothing lets it end. */
  async askForLease(tenant: TenantId, projection: string): Promise<void> {
    this.#tellOfLeases([[tenant, projection]]);
    const message: Message = { server: this.#server, heads: [], leases: [[tenant, projection]] };
    await this.#options.connections.read({ everyTenant: true }, notify, [this.#channel, JSON.stringify(message)]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#polling);
    clearTimeout(this.#reconnecting);
    await this.#telling;
    const client = this.#client;
    // A program that has nothing else to do would end before its last word is answered, and never hear that the ledger is closed.
    if (client !== undefined) reference(client);
    await client?.end().catch(() => undefined);
    this.#listeners.clear();
    this.#leaseListeners.clear();
  }

  #start(): void {
    if (this.#closed || this.#polling !== undefined) return;
    void this.#listen();
    this.#polling = setInterval(() => {
      if (this.#isListening && ++this.#polls % quietPolls !== 0) return;
      void this.#poll();
    }, this.#options.pollMilliseconds).unref();
  }

  async #notify(): Promise<void> {
    // Lets everything that was committed together be told together.
    await Promise.resolve();
    const { connections, reportProblem } = this.#options;
    while (this.#untold.size > 0) {
      const untold = [...this.#untold].slice(0, headsPerMessage);
      for (const [tenant] of untold) this.#untold.delete(tenant);
      const heads = untold.map(([tenant, { head, families }]) => [tenant, head, families]);
      const message = JSON.stringify({ server: this.#server, heads });
      try {
        // Also while closing: what was accepted is told.
        await connections.transaction({ everyTenant: true }, (send, commit) =>
          commit([send(notify, [this.#channel, message])]),
        );
      } catch (error) {
        // They find it by polling.
        if (!connections.isClosing) reportProblem(error, "telling other servers of a commit");
      }
    }
    // In the same turn as the last look: what is announced from here on is told by the next one.
    this.#telling = undefined;
  }

  async #listen(): Promise<void> {
    const { listener } = this.#options;
    if (listener === undefined || this.#closed) return;
    const client = new Client(listener);
    this.#client = client;
    const lost = (): void => this.#lost(client);
    client.on("error", lost);
    client.on("end", lost);
    client.on("notification", ({ payload }) => this.#hear(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.#channel}`);
      unreference(client);
      this.#isListening = true;
      this.#reconnectDelay = firstReconnectDelay;
      // What was committed while nobody listened.
      await this.#poll();
    } catch {
      lost();
    }
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#isListening = false;
    client.end().catch(() => undefined);
    if (this.#closed) return;
    this.#reconnecting = setTimeout(() => void this.#listen(), this.#reconnectDelay).unref();
    this.#reconnectDelay = Math.min(2 * this.#reconnectDelay, longestReconnectDelay);
  }

  #hear(payload: string | undefined): void {
    const message = parseMessage(payload);
    if (message === undefined || message.server === this.#server) return;
    for (const [tenant, head, families] of message.heads) this.#tell(tenant, head, families);
    this.#tellOfLeases(message.leases ?? []);
  }

  /** A connection that has died without a word is noticed here, and replaced. */
  async #checkListening(): Promise<void> {
    const client = this.#client;
    if (!this.#isListening || client === undefined) return;
    try {
      await client.query("SELECT 1");
    } catch {
      this.#lost(client);
    }
  }

  async #poll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    try {
      await this.#checkListening();
      await this.#look();
    } finally {
      this.#isPolling = false;
    }
  }

  async #look(): Promise<void> {
    const { connections, reportProblem } = this.#options;
    try {
      if (this.#lastSeen === undefined) {
        this.#lastSeen = (await connections.read({ everyTenant: true }, databaseTime, []))[0]?.seen;
        return;
      }
      const rows = await connections.read({ everyTenant: true }, changedSince, [this.#lastSeen]);
      for (const { tenant, head } of rows)
        if (head > (this.#known.get(tenant) ?? 0)) this.#tell(tenant, head, undefined);
      this.#lastSeen = rows[0]?.seen ?? this.#lastSeen;
    } catch (error) {
      if (!this.#closed && !connections.isClosing) reportProblem(error, "looking for commits of other servers");
    }
  }

  #tell(tenant: TenantId, head: Sequence, families: readonly Family[] | undefined): void {
    if (head > (this.#known.get(tenant) ?? 0)) this.#known.set(tenant, head);
    // The commit is done: a listener's fault must not make it look failed.
    this.#listeners.tell(tenant, head, families);
  }

  #tellOfLeases(leases: NonNullable<Message["leases"]>): void {
    for (const [tenant, projection] of leases) this.#leaseListeners.tell(tenant, projection);
  }
}

interface Message {
  readonly server: string;
  /** Servers of the version before say nothing of families. */
  readonly heads: readonly (readonly [TenantId, Sequence, (readonly Family[])?])[];
  /** Those that are asked for: whose, and on what. Servers of versions before ask for none and hear of none. */
  readonly leases?: readonly (readonly [TenantId, projection: string])[];
}

/** Whoever may connect may also notify: what is not ours is passed over. */
function parseMessage(payload: string | undefined): Message | undefined {
  try {
    const message = JSON.parse(payload ?? "") as Partial<Message> | null;
    return typeof message?.server === "string" && Array.isArray(message.heads) ? (message as Message) : undefined;
  } catch {
    return undefined;
  }
}

/** A ledger that only listens does not keep a program running that forgot to close it. */
function unreference(client: Client): void {
  (client as unknown as { unref(): void }).unref();
}

function reference(client: Client): void {
  (client as unknown as { ref(): void }).ref();
}
