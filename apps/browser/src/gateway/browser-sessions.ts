import { createHash, randomBytes } from "node:crypto";

const minute = 60_000;
/** How long a link opens the page. */
export const linkMilliseconds: number = minute;
const idleMilliseconds = 30 * minute;
/** How long a session lasts at most, whoever uses it. */
export const longestMilliseconds: number = 12 * 60 * minute;
/** More of one holder are a mistake, or somebody who tries. Their oldest goes. */
const mostOfHolder = 16;
/** Of all keys. The oldest of the key that has most of them goes: who makes many tokens of one signs nobody else out. */
const mostSessions = 1_024;

/** What somebody has come in with, where the page is for many. */
export interface SessionCredential {
  /** What calls of the session are made with: never the key itself. */
  readonly token: string;
  /** The same for each session of one key or token: a hash of it. */
  readonly holder: string;
  /** The same for a key and all its tokens: the key's id. */
  readonly owner: string;
}

interface Session {
  readonly startedAt: number;
  readonly credential: SessionCredential | undefined;
  usedAt: number;
}

/**
 * Who may call: whoever came with a link of this process, or with a key of the server. A link is of one use, so that what stays of it in a
 * terminal or in a history opens nothing. Tokens are kept by their hashes: what is compared is no secret.
 */
export class BrowserSessions {
  readonly #links = new Map<string, number>();
  readonly #used = new Set<string>();
  /** The oldest first. */
  readonly #sessions = new Map<string, Session>();
  readonly #now: () => number;

  /** @param now in milliseconds; only differences count */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A token that opens one session within a minute. */
  createLink(): string {
    const token = newToken();
    this.#links.set(hashOf(token), this.#now() + linkMilliseconds);
    dropOldest(this.#links, mostOfHolder);
    return token;
  }

  /** The token of a new session, or why there is none: a link that was used may be in the hands of another. */
  exchange(link: string): string | "used" | "unknown" {
    const hash = hashOf(link);
    const end = this.#links.get(hash);
    this.#links.delete(hash);
    if (end === undefined) return this.#used.has(hash) ? "used" : "unknown";
    this.#used.add(hash);
    return end <= this.#now() ? "unknown" : this.open();
  }

  /** The token of a new session. @param credential absent: it calls as the gateway does */
  open(credential?: SessionCredential): string {
    const token = newToken();
    this.#sessions.set(hashOf(token), { startedAt: this.#now(), usedAt: this.#now(), credential });
    const own = [...this.#sessions].filter(([, session]) => session.credential?.holder === credential?.holder);
    if (own.length > mostOfHolder) this.#sessions.delete(own[0]?.[0] ?? "");
    if (this.#sessions.size > mostSessions) this.#sessions.delete(this.#oldestOfLargestOwner());
    return token;
  }

  /** Whether a session goes on. Each call keeps it for another half an hour, up to twelve hours. */
  admits(token: string): boolean {
    const hash = hashOf(token);
    const session = this.#sessions.get(hash);
    if (session === undefined) return false;
    const now = this.#now();
    const isOver = now - session.usedAt >= idleMilliseconds || now - session.startedAt >= longestMilliseconds;
    if (isOver) this.#sessions.delete(hash);
    else session.usedAt = now;
    return !isOver;
  }

  /** What the calls of a session are made with. Undefined: there is no such session, or it calls as the gateway does. */
  credentialOf(token: string): string | undefined {
    return this.#sessions.get(hashOf(token))?.credential?.token;
  }

  /** Whose key a session is of; the same for all that call as the gateway does. */
  ownerOf(token: string): string {
    return this.#sessions.get(hashOf(token))?.credential?.owner ?? "";
  }

  /** Somebody has left, or the server knows the credential no more. */
  end(token: string): void {
    this.#sessions.delete(hashOf(token));
  }

  #oldestOfLargestOwner(): string {
    const owners = new Map<string, string[]>();
    for (const [hash, { credential }] of this.#sessions) {
      const owner = credential?.owner ?? "";
      owners.set(owner, [...(owners.get(owner) ?? []), hash]);
    }
    const [most = []] = [...owners.values()].toSorted((left, right) => right.length - left.length);
    return most[0] ?? "";
  }
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}

function dropOldest(entries: Map<string, unknown>, most: number): void {
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
