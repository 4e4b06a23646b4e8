import type { Instant } from "@loci/domain";
import { englishAnalyser } from "../text/text-analyser.ts";
import { dayBounds, localTimes } from "../time/local-time.ts";
import { namedTimes, type TimePhrase, type TimeSpan } from "./named-times.ts";
import { relativeTimes } from "./relative-times.ts";

/** What is said of any time, whatever happened then. */
const ofAnyTime: ReadonlySet<string> = new Set(
  englishAnalyser.terms(
    `achieve busy chat conversation cover discuss event get give go happen know learn list make meet mention new note overview recall
    recap record remember remind review say session show speak stuff summarise summarize summary take talk tell thing anything
    everything something update work write please day week month year time`,
  ),
);

/** The times that a question speaks of. */
export interface QuestionTimes {
  readonly spans: readonly TimeSpan[];
  /**
   * True when it asks for what was then, and for nothing else: `What happened last week?`, `What did we talk about on 3 May?`. Every
   * memory of that time answers it, whatever it is about.
   */
  readonly areAskedAlone: boolean;
}

/**
 * The times that a question in English speaks of. Those named as seen from now count only where nothing else is asked for: who
 * asks what they saw `on the trip last year` asks for the trip, which may have been told of at any time.
 *
 * @param timeZone whose days they are: an IANA name. Default UTC
 * @throws LociError `INVALID_REQUEST` for an unknown time zone, when the question names a time
 */
export function questionTimes(question: string, evaluationTime: Instant, timeZone = "UTC"): QuestionTimes {
  const inZone =
    timeZone === "UTC" ? timesOf(question, evaluationTime) : timesInZone(question, evaluationTime, timeZone);
  return { spans: inZone.phrases.map(({ span }) => span), areAskedAlone: inZone.areAskedAlone };
}

interface FoundTimes {
  readonly phrases: readonly TimePhrase[];
  readonly areAskedAlone: boolean;
}

function timesOf(question: string, now: Instant): FoundTimes {
  const named = namedTimes(question, now);
  const all = [...named, ...relativeTimes(question, now)];
  const areAskedAlone = all.length > 0 && saysNothingElse(question, all);
  return { phrases: areAskedAlone ? all : named, areAskedAlone };
}

/** All times are of whole days: those of the zone's calendar are found as if it were UTC's, and begin when they begin there. */
function timesInZone(question: string, now: Instant, timeZone: string): FoundTimes {
  // Most questions name no time, whatever the zone.
  if (timesOf(question, now).phrases.length === 0) return { phrases: [], areAskedAlone: false };
  const localTime = localTimes(timeZone);
  const startOf = (midnight: Instant): Instant => {
    const [date = ""] = new Date(midnight).toISOString().split("T");
    // Nothing is that late, and a longer year is no date that is written like others.
    return date.length > "yyyy-mm-dd".length ? midnight : dayBounds(date, timeZone, localTime).start;
  };
  const { phrases, areAskedAlone } = timesOf(question, Date.parse(`${localTime(now).date}T00:00:00Z`));
  return {
    phrases: phrases.map(({ words, span }) => ({
      words,
      span: { start: startOf(span.start), end: startOf(span.end) },
    })),
    areAskedAlone,
  };
}

function saysNothingElse(question: string, times: readonly TimePhrase[]): boolean {
  let rest = question.toLowerCase();
  for (const { words } of times) rest = rest.replace(words.toLowerCase(), " ");
  return englishAnalyser.terms(rest).every((term) => ofAnyTime.has(term));
}
