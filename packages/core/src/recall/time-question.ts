import type { Instant } from "@loci/domain";
import { englishAnalyser } from "../text/text-analyser.ts";
import { calendarDay, startOfDay } from "../time/local-time.ts";
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
 * asks what they saw `on the trip last year` asks for the trip, which may have been told of at any time. Who has counted the days or weeks
 * (`What did I buy ten days ago?`) means that time.
 *
 * @param timeZone whose days they are: an IANA name. Default UTC
 * @throws LociError `INVALID_REQUEST` for an unknown time zone
 */
export function questionTimes(question: string, evaluationTime: Instant, timeZone = "UTC"): QuestionTimes {
  // All times are of whole days: those of the zone's calendar are counted as if they were UTC's, and begin when they begin there.
  const today = calendarDay(evaluationTime, timeZone);
  const named = namedTimes(question, today);
  const relative = relativeTimes(question, today);
  const all = [...named, ...relative];
  const areAskedAlone = all.length > 0 && saysNothingElse(question, all);
  const spans = (areAskedAlone ? all : [...named, ...relative.filter(({ isCounted }) => isCounted === true)]).map(
    ({ span: { start, end } }) => ({
      start: startOfDay(start, timeZone),
      end: startOfDay(end, timeZone),
    }),
  );
  return { spans, areAskedAlone };
}

function saysNothingElse(question: string, times: readonly TimePhrase[]): boolean {
  let rest = question.toLowerCase();
  for (const { words } of times) rest = rest.replace(words.toLowerCase(), " ");
  return englishAnalyser.terms(rest).every((term) => ofAnyTime.has(term));
}
