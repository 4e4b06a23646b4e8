import type { CaptureCandidate } from "@loci/domain";
import { carryingAlong, untoldOf } from "./carried-words.ts";
import { leftToDoSlot } from "../extract/left-to-do.ts";
import { comingDay } from "../extract/coming-days.ts";
import { asCarriedOut } from "../extract/orders-carried-out.ts";
import { clausesOf } from "../extract/sentences.ts";
import { comesEachWeek } from "../extract/weekly-events.ts";
import { facetsOf } from "./facets.ts";

/**
 * A candidate that takes the place of a memory, with what it leaves untold of that. Candidates that replace nothing are returned as they
 * are.
 *
 * @param replaced the text of the memory, as it stands now
 * @param said what the candidate says, without what explains it
 * @param isRelative it says by how much something is different, so that it needs the other one
 * @returns `undefined` where this is too much for one memory: the other one stays
 */
export function replacing(
  candidate: CaptureCandidate,
  replaced: string | undefined,
  { said, isRelative }: { readonly said: string; readonly isRelative: boolean },
): CaptureCandidate | undefined {
  // What was left to do before and is not said to be any more is done.
  const isAllOfIt = candidate.slot === leftToDoSlot;
  if (replaced === undefined || candidate.decision !== "UPDATE" || isAllOfIt) return candidate;
  const timed = isWeekly(replaced) ? eachWeek(candidate) : inItsMonth(candidate, replaced);
  const untold = untoldOf(replaced, { said, isRelative });
  const told = untold.length === 0 ? timed : asTold(timed);
  const text = carryingAlong(told.text, untold);
  if (text === undefined) return undefined;
  return { ...told, text, validTo: untold.every(isOfItsDay) ? timed.validTo : null };
}

/** `Stop the bakery newsletter` is no rule, where it ends one of several. */
function asTold(candidate: CaptureCandidate): CaptureCandidate {
  const text = asCarriedOut(candidate.text);
  return text === candidate.text ? candidate : { ...candidate, text, kind: "semantic", category: "fact" };
}

/** `The check-up moved to 10 May` is over behind its day, and `my dentist is Dr Vos, check-up on 3 May` is not. */
function isOfItsDay(text: string): boolean {
  return clausesOf(text).every((clause) => facetsOf(clause.text).saysWhen);
}

const dayOfMonth = /(?<=the (?<day>\d{1,2})(?:st|nd|rd|th) \()(?<date>\d{4}-\d\d-\d\d)(?=\))/iu;

/** `The exam moved to the 23rd`, said in April, is in May where it was on 22 May. */
function inItsMonth(candidate: CaptureCandidate, replaced: string): CaptureCandidate {
  const { day = "", date: named = "" } = dayOfMonth.exec(candidate.text)?.groups ?? {};
  const was = named === "" ? undefined : comingDay(replaced, Date.parse(named));
  if (was === undefined) return candidate;
  const meant = `${was.date.slice(0, 8)}${day.padStart(2, "0")}`;
  const moved = Date.parse(meant) - Date.parse(named);
  if (Number.isNaN(moved) || moved <= 0) return candidate;
  const { validTo } = candidate;
  return {
    ...candidate,
    text: candidate.text.replace(dayOfMonth, meant),
    validTo: validTo === null ? null : validTo + moved,
  };
}

const date = /\d{4}-\d\d-\d\d/u;
const datedWeekday = /((?:mon|tues|wednes|thurs|fri|satur|sun)day) \(\d{4}-\d\d-\d\d\)/giu;

function isWeekly(text: string): boolean {
  return !date.test(text) && comesEachWeek(text);
}

/** `Noor's hockey moved to Sunday` is each Sunday, where it was on Saturdays. */
function eachWeek(candidate: CaptureCandidate): CaptureCandidate {
  const text = candidate.text.replace(datedWeekday, "$1");
  return text === candidate.text ? candidate : { ...candidate, text, validTo: null };
}
