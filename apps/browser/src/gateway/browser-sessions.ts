import { createHash, randomBytes } from "node:crypto";

const minute = 60_000;
/** How long a link opens the page. */
export const linkMilliseconds: number = minute;
const idleMilliseconds = 30 * minute;
const longestMilliseconds = 12 * 60 * minute;
/** More are a mistake, or somebody who tries. The oldest goes. */
const mostSessions = 16;

interface Session {
  readonly startedAt: number;
  usedAt: number;
}

/**
 * Who may call: whoever came with a link of this process. A link is of one use, so that what stays of it in a terminal or in a history
 * opens nothing. Tokens are kept by their hashes: what is compared is no secret.
 */
export class BrowserSessions {
  readonly #links = new Map<string, number>();
  readonly #used = new Set<string>();
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
    keepLatest(this.#links);
    return token;
  }

  /** The token of a new session, or why there is none: a link that was used may be in the hands of another. */
  exchange(link: string): string | "used" | "unknown" {
    const hash = hashOf(link);
    const end = this.#links.get(hash);
    this.#links.delete(hash);
    if (end === undefined) return this.#used.has(hash) ? "used" : "unknown";
    this.#used.add(hash);
    if (end <= this.#now()) return "unknown";
    const token = newToken();
    this.#sessions.set(hashOf(token), { startedAt: this.#now(), usedAt: this.#now() });
    keepLatest(this.#sessions);
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
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}

function keepLatest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (entries.size > mostSessions && oldest !== undefined) entries.delete(oldest);
}
