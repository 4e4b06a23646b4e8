import { LociError } from "@loci/loci";
import type { MethodRule } from "./method-rules.ts";
import { SharedAmount } from "./shared-amount.ts";

/** Bounds answers in bytes: each one, and those together that their callers have not read yet. */
export class AnswerLimit {
  readonly #maxBytes: number;
  readonly #unread: SharedAmount;

  /**
   * @param maxBytes of one answer
   * @param maxUnreadBytes of all together, of which one caller gets half
   */
  constructor(maxBytes: number, maxUnreadBytes: number) {
    this.#maxBytes = maxBytes;
    this.#unread = new SharedAmount(maxUnreadBytes);
  }

  /** What waits to be read, in bytes. */
  get unreadBytes(): number {
    return this.#unread.total;
  }

  /**
   * Counts an answer until {@link gone} is called. That of a write is not refused, as it says what was done; it is hardly
   * larger than its request.
   *
   * @throws LociError `MESSAGE_TOO_LARGE`; `TOO_MANY_REQUESTS` when too much is unread
   */
  send(caller: string, bytes: number, { kind }: MethodRule): void {
    if (kind === "write") {
      this.#unread.add(caller, bytes);
      return;
    }
    if (bytes > this.#maxBytes)
      throw new LociError("MESSAGE_TOO_LARGE", {
        message: `The answer takes ${bytes} bytes; the server sends ${this.#maxBytes} at most.`,
        advice: "Ask for less: a lower limit or maxTokens, no explain, fewer messages at once.",
        details: { neededBytes: String(bytes), maxBytes: String(this.#maxBytes) },
      });
    this.keep(caller, bytes);
  }

  /**
   * Counts what is kept of an answer that is yet to be sent, until {@link gone} is called.
   *
   * @throws LociError `TOO_MANY_REQUESTS` when too much is unread
   */
  keep(caller: string, bytes: number): void {
    if (!this.#unread.take(caller, bytes))
      throw new LociError("TOO_MANY_REQUESTS", {
        message: `Answers of ${this.#unread.total} bytes wait to be read; this one takes ${bytes} more.`,
        advice: "Read the answers of the calls that are open, and make fewer at once.",
      });
  }

  /** The answer was read, or its call is over. */
  gone(caller: string, bytes: number): void {
    this.#unread.give(caller, bytes);
  }
}
