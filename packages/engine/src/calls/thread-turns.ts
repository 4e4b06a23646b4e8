import { type TenantId, throwIfAborted } from "@loci/domain";

/** Whose turn it is may do several pieces of work in it, if they are short: until so many milliseconds are over. */
const longestGoingOn = 4;
/** Work in the background goes on for less: whoever comes meanwhile waits for that. */
const longestBehindOthers = 1;
/**
 * Milliseconds after which work in the background has a turn though there are calls. Its pieces take up to 4 ms: of calls that follow
 * each other all the time and take 3 ms, one in a hundred meets one.
 */
const longestPutOff = 300;
/**
 * So many milliseconds after a call had the thread it may come back for more: from its index, its disk, or its caller. More than most
 * calls take, or what runs in the background would begin while they wait.
 */
const callsAreBack = 15;
/** Milliseconds in which what a tenant has had of the thread counts for half. */
const halfLife = 1_000;

/** `background` for what nobody waits for: it has a turn when calls have left the thread alone for a while, and now and then. */
export type TurnPriority = "call" | "background";

interface Waiting {
  readonly tenant: TenantId;
  readonly since: number;
  readonly signal: AbortSignal;
  readonly priority: TurnPriority;
  readonly resolve: () => void;
}

type Turn = Pick<Waiting, "tenant" | "signal" | "priority"> & { readonly startedAt: number };

/**
 * Shares one thread among tenants. Work that takes milliseconds asks for its turn first. One call has its turn in each turn of
 * the event loop, of the tenant that had least of the thread lately. So nobody waits for more than the longest piece of
 * somebody else, however many there are.
 */
export class ThreadTurns {
  readonly #waiting = new Map<TenantId, Set<Waiting>>();
  /** In the order in which they came. */
  readonly #background = new Set<Waiting>();
  /** Milliseconds that tenants had lately. */
  readonly #had = new Map<TenantId, number>();
  #halvedAt = 0;
  /** When the first in this turn of the event loop had its turn; absent when nobody asked. */
  #turnStartedAt: number | undefined;
  /** Whose turn it is; absent when nobody asked, or who did is done. */
  #current: Turn | undefined;
  /** When a call last asked for the thread or left it, and when work in the background last had it. */
  #calledAt = -Infinity;
  #behindAt = -Infinity;
  /** Wakes work in the background that waits for calls to leave the thread alone. */
  #waking: NodeJS.Timeout | undefined;

  /**
   * Resolves when the work may go on; `undefined` where it may at once, as on an idle thread: waiting for nothing would cost as
   * much as a short call.
   *
   * @param signal of the call that the work is done for, and by which it is known
   * @param priority default `call`
   * @throws LociError `CANCELLED`, `DEADLINE_EXCEEDED` when the signal has aborted; what is returned rejects with it when
   *   it aborts before
   */
  next(tenant: TenantId, signal: AbortSignal, priority: TurnPriority = "call"): Promise<void> | undefined {
    throwIfAborted(signal);
    const now = performance.now();
    const isBehind = priority === "background";
    const isTime = !isBehind || (this.#background.size === 0 && this.#isTimeBehind(now, now));
    if (!isBehind) this.#calledAt = now;
    const longest = isBehind ? longestBehindOthers : longestGoingOn;
    const isShort = this.#turnStartedAt === undefined || now - this.#turnStartedAt < longest;
    const isFree = this.#current === undefined && this.#waiting.size === 0 && isTime;
    if (isFree && isShort) {
      this.#begin({ tenant, signal, priority, startedAt: now });
      return undefined;
    }
    if (this.#current?.signal === signal && now - this.#current.startedAt < longest) return undefined;
    return this.#wait({ tenant, signal, priority, since: now });
  }

  async #wait(asked: Omit<Waiting, "resolve">): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { tenant, signal, priority } = asked;
    const waiting: Waiting = { ...asked, resolve };
    if (priority === "background") {
      this.#background.add(waiting);
      this.#wakeBehind(asked.since);
    } else this.#waiting.set(tenant, (this.#waiting.get(tenant) ?? new Set<Waiting>()).add(waiting));
    const leave = (): void => {
      this.#leave(waiting);
      resolve();
    };
    signal.addEventListener("abort", leave, { once: true });
    await promise;
    signal.removeEventListener("abort", leave);
    throwIfAborted(signal);
  }

  /** Says that a call has ended: short ones that come one after the other share a turn of the event loop. */
  done(signal: AbortSignal): void {
    const now = performance.now();
    if (this.#current?.signal === signal) this.#end(now);
    this.#calledAt = now;
  }

  #begin(current: Turn): void {
    this.#current = current;
    if (current.priority === "background") this.#behindAt = current.startedAt;
    if (this.#turnStartedAt !== undefined) return;
    this.#turnStartedAt = current.startedAt;
    // Runs after whatever this call does before it waits for something, and after the events that came meanwhile.
    setImmediate(() => this.#turn());
  }

  #end(now: number): void {
    if (this.#current === undefined) return;
    const { tenant, startedAt } = this.#current;
    this.#halve(now);
    this.#had.set(tenant, (this.#had.get(tenant) ?? 0) + now - startedAt);
    this.#current = undefined;
  }

  #turn(): void {
    const now = performance.now();
    this.#end(now);
    this.#turnStartedAt = undefined;
    const next = this.#next(now);
    if (next === undefined) {
      this.#wakeBehind(now);
      return;
    }
    const { resolve, since: _, ...turn } = next;
    this.#leave(next);
    this.#begin({ ...turn, startedAt: now });
    resolve();
  }

  /** @param since when what comes first in the background asked for its turn */
  #isTimeBehind(now: number, since: number): boolean {
    return now - this.#calledAt >= callsAreBack || now - Math.max(since, this.#behindAt) >= longestPutOff;
  }

  /** Looks again at what waits in the background when it may be its time, if nothing else will. */
  #wakeBehind(now: number): void {
    const [behind] = this.#background;
    if (behind === undefined || this.#waking !== undefined || this.#turnStartedAt !== undefined) return;
    const putOffUntil = Math.max(behind.since, this.#behindAt) + longestPutOff;
    const time = Math.min(this.#calledAt + callsAreBack, putOffUntil) - now;
    this.#waking = setTimeout(
      () => {
        this.#waking = undefined;
        if (this.#turnStartedAt === undefined) this.#turn();
      },
      Math.max(1, Math.ceil(time)),
    );
  }

  #next(now: number): Waiting | undefined {
    const [first] = this.#background;
    const behind = first !== undefined && this.#isTimeBehind(now, first.since) ? first : undefined;
    if (behind !== undefined && now - Math.max(behind.since, this.#behindAt) >= longestPutOff) return behind;
    let least: Waiting | undefined;
    let leastHad = Infinity;
    for (const [tenant, [first]] of this.#waiting) {
      const had = this.#had.get(tenant) ?? 0;
      if (had < leastHad) [least, leastHad] = [first, had];
    }
    return least ?? behind;
  }

  #leave(waiting: Waiting): void {
    this.#background.delete(waiting);
    const others = this.#waiting.get(waiting.tenant);
    if (others?.delete(waiting) === true && others.size === 0) this.#waiting.delete(waiting.tenant);
  }

  #halve(now: number): void {
    if (now - this.#halvedAt < halfLife) return;
    this.#halvedAt = now;
    for (const [tenant, had] of this.#had)
      if (had < 1) this.#had.delete(tenant);
      else this.#had.set(tenant, had / 2);
  }
}
