import type { MemoryRecord } from "@loci/domain";
import { stopWords } from "../text/stop-words.ts";
import type { ScoredCandidate } from "./candidate.ts";
import { claimOf } from "./claim-words.ts";
import { isConversationTurn } from "./conversation-turns.ts";

/** Who speaks, as what was captured calls them; a turn says `I` and `we`. */
const speakers: ReadonlySet<string> = new Set(["user", "assistant", "family", "team"]);
const negations: ReadonlySet<string> = new Set(["not", "no", "nor", "only"]);

/**
 * Turns that have a place and what was captured of them, to tell where one of the two says all that the other says: `I moved to
 * Oslo in May, it is lovely` and `The user moved to Oslo in May`. They are of one conversation and one time. A day or a name
 * that the turn does not say is a word more, so that both stay.
 */
export class ToldTwice {
  readonly #placed = new Map<string, Told[]>();

  /** The one with a place that says all that this one says, of the other kind. */
  find(scored: ScoredCandidate): ScoredCandidate | undefined {
    const key = keyOf(scored.memory);
    const others = key === undefined ? undefined : this.#placed.get(key);
    if (others === undefined) return undefined;
    const isTurn = isConversationTurn(scored.memory);
    const candidates = others.filter((other) => other.isTurn !== isTurn);
    if (candidates.length === 0) return undefined;
    const words = [...wordsOf(scored.memory)];
    if (words.length === 0) return undefined;
    return candidates.find((other) => words.every((word) => other.words.has(word)))?.scored;
  }

  /** Gives it a place. */
  add(scored: ScoredCandidate): void {
    const key = keyOf(scored.memory);
    if (key === undefined) return;
    const told = new Told(scored);
    const others = this.#placed.get(key);
    if (others === undefined) this.#placed.set(key, [told]);
    else others.push(told);
  }
}

/** Read when it is compared. */
class Told {
  readonly scored: ScoredCandidate;
  readonly isTurn: boolean;
  #words: ReadonlySet<string> | undefined;

  constructor(scored: ScoredCandidate) {
    this.scored = scored;
    this.isTurn = isConversationTurn(scored.memory);
  }

  get words(): ReadonlySet<string> {
    return (this.#words ??= wordsOf(this.scored.memory));
  }
}

/** The conversation and the time. A rule that may be followed stands elsewhere than what was said, and has none. */
function keyOf(memory: MemoryRecord): string | undefined {
  const { provenance, origin, category } = memory;
  if (provenance?.kind !== "conversation" || provenance.createdAt === undefined) return undefined;
  const isCaptured = origin === "capture" && category !== "procedure";
  return isCaptured || isConversationTurn(memory) ? `${provenance.createdAt}\n${provenance.sourceId}` : undefined;
}

function wordsOf({ text, provenance }: MemoryRecord): ReadonlySet<string> {
  const prefix = `${provenance?.speaker ?? ""}: `;
  const words = new Set<string>();
  for (const { word, stem } of claimOf(text.startsWith(prefix) ? text.slice(prefix.length) : text).words)
    if (!speakers.has(word) && (negations.has(word) || !stopWords.has(word))) words.add(stem.toLowerCase());
  return words;
}
