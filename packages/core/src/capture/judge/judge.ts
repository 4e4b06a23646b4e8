import { endedBy, replacedBy } from "./closed-by.ts";
import { isOfOtherThings } from "./ended-doing.ts";
import { tellsAnotherOf, tellsSuccessor } from "./endings.ts";
import { type HeardStatement, hearStatement } from "./heard-statement.ts";
import { heldAgainst } from "./held-against.ts";
import type { Nearness } from "./is-about.ts";
import { mostAbout } from "./most-about.ts";
import { changedOfUsed, isUsedIn } from "./just-used.ts";
import type { KnownMemory, ReadMemory } from "./read-memory.ts";
import { isOverAlready } from "./over-already.ts";
import { isSubset, sharedIn } from "./set-relations.ts";
import { type JudgedStatement, mentions } from "./spoken-of.ts";
import type { Judgement, Verdict } from "./verdict.ts";
import { isOfThePast, tellsDeath } from "./what-died.ts";

/**
 * What becomes of a statement among memories that are in force: `NOOP` when one of them says the same, `UPDATE` when it says
 * something else of the same thing, `DELETE` when that is over, else `ADD`.
 *
 * @param cosineTo of the statement and a memory
 * @param relatedGate cosine from which two texts speak of related things
 */
export function judge(
  statement: JudgedStatement,
  memories: readonly ReadMemory[],
  cosineTo: (memory: KnownMemory) => number,
  relatedGate: number,
): Judgement {
  const heard = hearStatement(statement);
  const meant = meantBy(heard, memories);
  const used = memories.filter((known) => isUsedIn(heard.before, known));
  const changed = changedOfUsed(heard, used);
  const namesNone = !memories.some((known) => sharesTopic(heard, known));
  const isMeantByChance = chanceAmong(heard, memories, cosineTo);
  let best: Verdict | undefined;
  for (const known of memories) {
    const nearness = {
      cosine: cosineTo(known.memory),
      relatedGate,
      isMeant: meant.has(known),
      isUsed: used.length === 1 && used[0] === known,
      isChanged: changed === known,
      namesNone,
    };
    const found = ofWhatIsOver(verdictOn(heard, known, nearness), heard, known);
    if (found === undefined) continue;
    if (isMeantByChance(found, known)) continue;
    if (best === undefined || found.strength > best.strength) best = found;
  }
  return best === undefined ? { decision: "ADD", target: null } : { decision: best.decision, target: best.target };
}

/**
 * Whether it is by chance that a verdict ends or replaces a memory: by what was said, or by what was said around it, another memory is what the
 * statement is about.
 */
function chanceAmong(
  { said, spokenOf }: HeardStatement,
  memories: readonly ReadMemory[],
  cosineTo: (memory: KnownMemory) => number,
): (verdict: Verdict, known: ReadMemory) => boolean {
  const nearest: Partial<Record<"words" | "talk", ReadonlySet<ReadMemory>>> = {};
  return ({ decision, meantBy }, known) => {
    if (meantBy === undefined || (decision !== "UPDATE" && decision !== "DELETE")) return false;
    nearest[meantBy] ??= mostAbout(meantBy === "words" ? said : spokenOf, memories, cosineTo);
    return !nearest[meantBy].has(known);
  };
}

/** A clause decides where the whole of a statement says nothing of a memory, or only says it again. */
function verdictOn(heard: HeardStatement, known: ReadMemory, nearness: Nearness): Verdict | undefined {
  const replaced = replacedBy(heard, known, nearness);
  if (replaced !== undefined) return replaced;
  const whole = heldAgainst(heard, known, nearness);
  if (heard.endedDoing !== undefined && isOfOtherThings(heard.endedDoing, known.facets.topics))
    return whole?.decision === "NOOP" ? whole : undefined;
  const ended = endedBy(heard, known, nearness);
  const closes = whole?.decision === "DELETE" || whole?.decision === "UPDATE" || ended !== undefined;
  if (closes && tellsDeath(heard.words) && isOfThePast(known)) return undefined;
  if (whole === undefined || whole.decision === "NOOP") return ended ?? whole;
  // Why it is over takes nothing's place: `the greenhouse is no more, the January storm had it`.
  const isOver = whole.decision === "UPDATE" && ended?.decision === "DELETE";
  const { text, said } = heard.statement;
  const isReplaced = tellsSuccessor(text, known.facets) || tellsAnotherOf(said, known.facets);
  return isOver && !isReplaced ? { ...whole, decision: "DELETE" } : whole;
}

/** `I don't drink tea any more` ends nothing of what is over already; told once more it is known. */
function ofWhatIsOver(verdict: Verdict | undefined, heard: HeardStatement, known: ReadMemory): Verdict | undefined {
  const isEnd = heard.endings.length > 0 && (verdict?.decision === "DELETE" || verdict?.decision === "UPDATE");
  // `The gym is no longer closed on Mondays`
  const isTakenBack = heard.said.isNegated !== known.facets.isNegated;
  if (verdict === undefined || !isEnd || isTakenBack || !isOverAlready(known)) return verdict;
  return isSubset(heard.said.topics, known.facets.topics) ? { ...verdict, decision: "NOOP" } : undefined;
}

/** A statement answers to no more memories than so many that were spoken of. */
const mostMentioned = 2;
/** What was said around a statement is talk up to so many topics; behind that are long texts, which name much by the way. */
const mostTopicsOfTalk = 24;

/** The memories that were spoken of. Where much was, or at length, nothing tells which of it is meant. */
function meantBy({ spokenOf }: HeardStatement, memories: readonly ReadMemory[]): ReadonlySet<ReadMemory> {
  if (spokenOf.topics.size > mostTopicsOfTalk) return new Set();
  const mentioned = memories.filter(({ facets }) => mentions(spokenOf, facets));
  return new Set(mentioned.length > mostMentioned ? [] : mentioned);
}

function sharesTopic({ said }: HeardStatement, { facets, slotTopics }: ReadMemory): boolean {
  return sharedIn(said.topics, facets.topics) + sharedIn(said.topics, slotTopics) > 0;
}
