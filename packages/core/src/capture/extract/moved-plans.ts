import type { CaptureReason } from "@loci/domain";
import { facetsOf } from "../judge/facets.ts";
import { areApart, isSubset, sharedIn } from "../judge/set-relations.ts";
import { topicsOf } from "../judge/topics.ts";
import { type DatedPlan, datedPlan } from "./dated-plans.ts";
import { withoutLeadWords } from "./lead-words.ts";
import { isAboutPronoun } from "./pronouns.ts";
import { inThirdPerson } from "./third-person.ts";
import { longestText, type TurnStatement } from "./turn-statement.ts";
import { wordsOf } from "./words.ts";

/** So many plans that were told before may be moved. */
const lookedBack = 12;
/** In turns: `it` is nothing that was told longer ago. */
const farthestMeant = 2;

/** What only tells that a plan moved. */
const moving = topicsOf(
  "got moved pushed postponed rescheduled shifted delayed brought back forward earlier later time meant sorry argh omg wait day date",
);

/** A statement that names a day for something. */
interface ToldPlan {
  readonly statement: TurnStatement;
  readonly plan: DatedPlan;
  /** What takes place, as it was named at first, without its day: `my flight to Porto`, */
  readonly thing: string;
  /** and the number of the turn that named it. */
  readonly namedIn: number;
  /** What that is about, */
  readonly things: ReadonlySet<string>;
  /** and whom or what it names. */
  readonly names: ReadonlySet<string>;
}

/**
 * Of a plan that moved to another day the last day counts: what gave it another one before is retracted, and tells what moved.
 */
export function withoutMovedPlans(statements: readonly TurnStatement[]): readonly TurnStatement[] {
  const told: ToldPlan[] = [];
  const changed = new Map<TurnStatement, TurnStatement>();
  for (const statement of statements) {
    if (statement.pattern === undefined || statement.refusal !== undefined) continue;
    const plan = datedPlan(statement, statement.turn.at);
    if (plan === undefined) continue;
    const { surelyNamedTopics: names, tellsChange, movesInTime } = facetsOf(plan.clause);
    const thing = withoutLeadWords(withoutDay(plan.clause, plan.day.text));
    const things = new Set([...topicsOf(thing)].filter((topic) => !names.has(topic) && !moving.has(topic)));
    const later = { statement, plan, thing, namedIn: statement.turn.turn, things, names };
    const before =
      tellsChange || movesInTime || statement.revises
        ? told.slice(-lookedBack).findLast((each) => isMovedBy(each, later))
        : undefined;
    if (before !== undefined) {
      changed.set(before.statement, { ...before.statement, refusal: "RETRACTED" satisfies CaptureReason });
      changed.set(statement, { ...statement, ...movedFrom(before, statement) });
    }
    // What moves again is what it was at first.
    told.push(
      before === undefined
        ? later
        : { ...later, thing: before.thing, namedIn: before.namedIn, things: new Set([...before.things, ...things]) },
    );
  }
  return statements.map((each) => changed.get(each) ?? each);
}

/** It names another day for the same thing, or for `it`. */
function isMovedBy(earlier: ToldPlan, later: ToldPlan): boolean {
  if (earlier.plan.day.date === later.plan.day.date || areApart(earlier.names, later.names)) return false;
  if (sharedIn(earlier.things, later.things) > 0) return !areOfOneKind(earlier, later);
  const isNear = later.statement.turn.turn - earlier.statement.turn.turn <= farthestMeant;
  // `I meant Thursday`
  if (later.things.size === 0 && later.statement.revises && isNear) return true;
  return isAboutPronoun(wordsOf(later.plan.clause)) && (isNear || sharedIn(earlier.names, later.names) > 0);
}

/** `The physics exam`, `the chemistry exam`: each is more than what they have in common. */
function areOfOneKind({ things: left }: ToldPlan, { things: right }: ToldPlan): boolean {
  return !isSubset(left, right) && !isSubset(right, left);
}

/** `My flight to Porto: it moved to Saturday` */
function movedFrom(
  { thing, namedIn }: ToldPlan,
  { said, company }: TurnStatement,
): Pick<TurnStatement, "text" | "context" | "explainedBy"> {
  const text = `${inThirdPerson(thing, "user", company)}: ${inThirdPerson(withoutLeadWords(said), "user", company)}`;
  return { text: text.slice(0, longestText), context: thing, explainedBy: namedIn };
}

const leadToDay =
  /(?:(?:\s|['\u2019])(?:is|are|s))?(?: (?:now|set|scheduled|booked|planned|due|on|for|at|to|next|this)){0,3} $/iu;
/** In UTF-16 units. */
const longestLead = 40;

/** `We see the house tomorrow at four` without when that was. */
function withoutDay(said: string, day: string): string {
  const place = said.indexOf(day);
  if (place < 0) return said.replace(/[\s.!?]{1,9}$/u, "");
  const from = Math.max(0, place - longestLead);
  const lead = said.slice(from, place).replace(leadToDay, "");
  return (said.slice(0, from) + lead + said.slice(place + day.length)).replace(/[\s.!?,]{1,9}$/u, "");
}
