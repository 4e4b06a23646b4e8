import { cosineOfUnitVectors, type Instant } from "@loci/domain";
import { englishAnalyser, type TextAnalyser } from "../text/text-analyser.ts";
import type { ScoredCandidate } from "./candidate.ts";
import { type Contradiction, heldSince } from "./newer-first.ts";
import { nearCosines, type SeenVector, seenVector } from "./near-vectors.ts";
import { areOfDifferentThings } from "./stated-subject.ts";
import { isStated } from "./stated-text.ts";
import { type ToldSigns, toldSigns, type Understands } from "./told-signs.ts";

/** A longer text says more than one thing, so that a later one does not take its place. In UTF-16 units. */
const longestFact = 300;

/** A newer fact must come so close to the question, as a share of how close the older one comes. */
const succeedingShare = 0.6;

/** Where both hold words that say what they are about, their cosine may be so much less, as a share of the gate, */
const sharingGate = 5 / 6;
/** and where the newer one tells of a change as well, or the older one held for a while only, so much. */
const changingGate = 1 / 2;

/** They hold so many of the shorter one's: two long texts share a word by chance. 0.25 finds the same pairs, 0.34 two of 126 fewer. */
const leastShared = 0.3;

/**
 * What so few facts share may be what a change is told of. More of them share what all of them are about, such as the
 * patient of a ward's notes: that something happened to her later changes nothing of the rest. 3 to 6 find the same.
 */
const mostSharing = 4;

/** A question for the latest is answered by one that comes so close, as a share of the closest, */
const latestShare = 1 / 3;
/** and by a turn of a conversation or a long text only if it is among so many that come closest. */
const latestAmong = 4;

/** How close a candidate comes to the question, 0 to 1. */
export type ClosenessOf = (candidate: ScoredCandidate) => number;

/** What tells whether a fact took the place of another one. */
export interface SuccessionSigns {
  /** Cosine from which two texts speak of related things. `undefined`: the embedder does not say. */
  readonly relatedGate: number | undefined;
  /** Whether vectors tell what a text means. Absent: of every text. */
  readonly understands?: Understands | undefined;
  /** Of the union's terms those that the question names something by, as `namingTerms` tells. */
  readonly names: readonly number[];
  /** The one that the texts are found by. Default English. */
  readonly analyser?: TextAnalyser | undefined;
}

/** What the short facts that were found are to each other. */
export interface Successions {
  /** Facts of which the newer may have taken the place of the older. */
  readonly pairs: readonly Contradiction[];
  /**
   * True when they tell what happened and not how things are: by a shared word more pairs look as if one had replaced the other than there are
   * facts. A fact of how things are is one of few states of one thing; each line of a diary resembles many, and none undoes another.
   */
  readonly areEvents: boolean;
}

/**
 * Pairs of short facts that only state something of which the newer may have taken the place of the older. `I live in Utrecht`, `I've moved to
 * Groningen`. The embedder has to understand both. Turns of a conversation tell what happened; a later one does not undo them. A question that names what only
 * one of them holds, `crate 7` or `Utrecht`, asks for that one. Two that say different things of different subjects, `Room 101 seats 4`, `Room
 * 102 seats 11`, are a list. Of the others those that
 *
 * - speak of related things, where both answer the question: by their vectors alone, or a little less near when they share
 *   words that say what they are about, three tenths of those of the shorter one; or
 * - share so many of such words, and few others hold one of them, when the newer one tells of a change: `My editor is Vim`,
 *   `I switched from Vim to Zed`, or the older one held for a while only: `Ada is at home this week`, `Ada is in Rome`. What is
 *   told of a change often does not come close to a question for how things are.
 *
 * Of these a fact takes the place of the one that it comes nearest to, see {@link nearest}. Where {@link Successions.areEvents}, none does.
 *
 * @param kept that have been read
 */
export function successions(
  kept: readonly ScoredCandidate[],
  closenessOf: ClosenessOf,
  { relatedGate, understands, names, analyser = englishAnalyser }: SuccessionSigns,
): Successions {
  if (relatedGate === undefined) return { pairs: [], areEvents: false };
  const facts = kept.filter(isShortFact).map((scored) => new Fact(scored, closenessOf(scored), analyser));
  const words = new AboutWords(facts);
  const found: RelatedFacts[] = [];
  for (let one = 0; one < facts.length; one++) {
    const fact = facts[one] as Fact;
    const { steady, changing } = pairedWith(facts, one, names);
    const add = (others: readonly Fact[], leastShare: number): void => {
      if (others.length === 0) return;
      const cosines = cosinesOf(fact, others, leastShare * relatedGate);
      for (let place = 0; place < others.length; place++) {
        const cosine = (cosines[place] as number) / relatedGate;
        const other = others[place] as Fact;
        if (cosine < leastShare) continue;
        const related = inOrder(fact, other, cosine);
        if (!isRelated(related, words)) continue;
        // Asked last: few come here, and to tell takes longer than all before.
        if (understands === undefined || (fact.told.isUnderstood(understands) && other.told.isUnderstood(understands)))
          found.push(related);
      }
    };
    add(steady, sharingGate);
    add(changing, changingGate);
  }
  const loose = found.filter(({ cosine }) => cosine < 1);
  if (loose.length > facts.length) return { pairs: [], areEvents: true };
  return { pairs: nearest(found).map(({ older, newer }) => [older.scored, newer.scored]), areEvents: false };
}

/** Two facts of which the newer may have taken the place of the older. */
interface RelatedFacts {
  readonly older: Fact;
  readonly newer: Fact;
  /** As a share of the gate. */
  readonly cosine: number;
}

/**
 * Those of which the older one is the nearest that the newer one may have replaced, or the newer one the nearest that may have replaced
 * the older one. So each of several states of one thing follows another one, and a third fact that both come near to stays where it is.
 */
function nearest(related: readonly RelatedFacts[]): readonly RelatedFacts[] {
  const toOlder = new Map<Fact, number>();
  const toNewer = new Map<Fact, number>();
  const keepBest = (best: Map<Fact, number>, fact: Fact, cosine: number): void => {
    best.set(fact, Math.max(best.get(fact) ?? cosine, cosine));
  };
  for (const { older, newer, cosine } of related) {
    keepBest(toOlder, newer, cosine);
    keepBest(toNewer, older, cosine);
  }
  return related.filter(({ older, newer, cosine }) => cosine === toOlder.get(newer) || cosine === toNewer.get(older));
}

/** The older one is the one that held first. */
function inOrder(one: Fact, other: Fact, cosine: number): RelatedFacts {
  return one.heldSince <= other.heldSince ? { older: one, newer: other, cosine } : { older: other, newer: one, cosine };
}

/** Facts that may take the place of another one, or it theirs, if they are near enough. */
interface PairedFacts {
  readonly steady: readonly Fact[];
  /** Where the newer one tells of a change, or the older one held for a while only. */
  readonly changing: readonly Fact[];
}

/** Of those behind it. Cheapest first: of many facts nearly all end here or at their vectors. */
function pairedWith(facts: readonly Fact[], place: number, names: readonly number[]): PairedFacts {
  const one = facts[place] as Fact;
  const paired = { steady: [] as Fact[], changing: [] as Fact[] };
  for (let behind = place + 1; behind < facts.length; behind++) {
    const other = facts[behind] as Fact;
    if (one.heldSince === other.heldSince) continue;
    const isFirst = one.heldSince <= other.heldSince;
    const older = isFirst ? one : other;
    const newer = isFirst ? other : one;
    const isChange = changes(older, newer);
    if ((!isChange && !answers(older, newer)) || isToldApart(one.scored, other.scored, names)) continue;
    (isChange ? paired.changing : paired.steady).push(other);
  }
  return paired;
}

/** Whether both answer the question. */
function answers(older: Fact, newer: Fact): boolean {
  return newer.closeness >= succeedingShare * older.closeness;
}

function changes(older: Fact, newer: Fact): boolean {
  return newer.told.tellsOfChange || older.told.isPassing;
}

/** Of two whose cosine is at least what those need that share a word. */
function isRelated({ older, newer, cosine }: RelatedFacts, words: AboutWords): boolean {
  if (!changes(older, newer) && areOfDifferentThings(older.told.subject, newer.told.subject)) return false;
  const bothAnswer = answers(older, newer);
  if (bothAnswer && cosine >= 1) return true;
  const isChange = changes(older, newer) && cosine >= changingGate;
  if (!isChange && !(bothAnswer && cosine >= sharingGate)) return false;
  const shared = older.wordsSharedWith(newer);
  if (shared.length === 0 || shared.length < leastShared * Math.min(older.words.size, newer.words.size)) return false;
  return (bothAnswer && cosine >= sharingGate) || shared.some((word) => words.factsWith(word) <= mostSharing);
}

/** In how many of the facts a word stands that says what they are about. Counted when it is asked for, once. */
class AboutWords {
  readonly #facts: readonly Fact[];
  #counts: Map<string, number> | undefined;

  constructor(facts: readonly Fact[]) {
    this.#facts = facts;
  }

  factsWith(word: string): number {
    return (this.#counts ??= this.#counted()).get(word) ?? 0;
  }

  #counted(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { told } of this.#facts)
      for (const word of told.aboutWords) counts.set(word, (counts.get(word) ?? 0) + 1);
    return counts;
  }
}

/** What was captured has been judged against what was known, with more to go by: whatever it replaced is closed. */
function isShortFact({ memory: { text, provenance } }: ScoredCandidate): boolean {
  return text.length <= longestFact && provenance?.kind !== "conversation" && isStated(text);
}

/** A short fact. */
class Fact {
  readonly scored: ScoredCandidate;
  readonly closeness: number;
  readonly heldSince: Instant;
  readonly told: ToldSigns;
  /** What it is found by. */
  readonly vector: SeenVector | undefined;

  constructor(scored: ScoredCandidate, closeness: number, analyser: TextAnalyser) {
    this.scored = scored;
    this.closeness = closeness;
    this.heldSince = heldSince(scored.memory);
    this.told = toldSigns(scored.memory, analyser);
    const vector = scored.candidate.vectors?.[0];
    this.vector = vector && seenVector(vector);
  }

  /** Those that say what it is about. */
  get words(): ReadonlySet<string> {
    return this.told.aboutWords;
  }

  wordsSharedWith({ words }: Fact): readonly string[] {
    return [...this.words].filter((word) => words.has(word));
  }
}

/** Whether the question itself tells two that contradict each other apart: by a word that only one of them holds. */
export function isAskedApart([left, right]: Contradiction): boolean {
  return isToldApart(left, right, [...Array(left.candidate.frequencies.length).keys()]);
}

/** Whether one of two memories holds one of the terms that the other one does not. */
function isToldApart(
  { candidate: one }: ScoredCandidate,
  { candidate: other }: ScoredCandidate,
  terms: readonly number[],
): boolean {
  for (const term of terms) if ((one.frequencies[term] ?? 0) > 0 !== (other.frequencies[term] ?? 0) > 0) return true;
  return false;
}

/**
 * The hits among which a question for the latest means the newest, the closest first: those that come at least a third as close as the
 * closest and are about the same. They come nearly as close, hold a word of the question, or are nearly related to the closest: what
 * is merely new and somewhat near has not become the answer. Of turns of a conversation, of long texts, and of facts that tell what
 * happened only those among the four closest: many of these hold the words of a question.
 *
 * @param areEvents as {@link successions} tells
 */
export function latestOf(
  kept: readonly ScoredCandidate[],
  closenessOf: ClosenessOf,
  { relatedGate, areEvents }: Pick<SuccessionSigns, "relatedGate"> & Pick<Successions, "areEvents">,
): readonly ScoredCandidate[] {
  const [first, ...others] = kept.toSorted((left, right) => closenessOf(right) - closenessOf(left));
  if (first === undefined) return [];
  const isAboutSame = (other: ScoredCandidate, share: number): boolean =>
    share >= succeedingShare ||
    holdsAny(other) ||
    (relatedGate !== undefined && cosineOf(first, other) >= sharingGate * relatedGate);
  const meant = others.filter((other, place) => {
    const share = closenessOf(other) / closenessOf(first);
    const mayBeLatest = share >= latestShare && (place + 2 <= latestAmong || (!areEvents && isShortFact(other)));
    return mayBeLatest && isAboutSame(other, share);
  });
  return [first, ...meant];
}

/** Whether a candidate holds a word of the question. */
function holdsAny({ candidate: { frequencies } }: ScoredCandidate): boolean {
  for (let term = 0; term < frequencies.length; term++) if ((frequencies[term] as number) > 0) return true;
  return false;
}

/** Of what they are found by; 0 without vectors. */
function cosineOf(left: ScoredCandidate, right: ScoredCandidate): number {
  const one = left.candidate.vectors?.[0];
  const other = right.candidate.vectors?.[0];
  return one === undefined || other === undefined ? 0 : cosineOfUnitVectors(one, other);
}

/** As `cosineOf`, of one with others; -Infinity for some that do not reach the gate. */
function cosinesOf({ vector: one }: Fact, others: readonly Fact[], gate: number): Float64Array {
  if (one === undefined || others.length === 0) return new Float64Array(others.length);
  const cosines = nearCosines(
    one,
    others.map(({ vector }) => vector ?? one),
    gate,
  );
  for (let place = 0; place < others.length; place++) if (others[place]?.vector === undefined) cosines[place] = 0;
  return cosines;
}
