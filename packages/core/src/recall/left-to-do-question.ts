/** What a question begins with before it asks. */
const greeting = String.raw`(?:(?:hi|hey|hello|good morning|morning|ok|okay|so|right|well|and|back)[,.!]? (?:again[,.!]? )?)`;
const asking = new RegExp(
  String.raw`^${greeting}{0,3}(?:where (?:were|was|are) (?:we|i)(?: (?:at|now|last time))?|where did (?:we|i) (?:stop|leave off|get to|end)(?: (?:last time|yesterday))?|(?:what(?:['\u2019]s| is| was| do (?:we|i) have| else is)|which tasks are) (?:(?:still|there) ){0,2}(?:left|open|missing|outstanding|pending|next|to do|to be done)(?: (?:to do|to be done|open|for (?:us|me|today)|on (?:the|our|my) list))?|what (?:remains|comes next|should (?:we|i|you) do next)(?: to be done)?|what were (?:we|you|i) (?:doing|working on)(?: last time)?|(?:let['\u2019]?s |please )?(?:continue|go on|carry on|resume)(?: (?:where we (?:left off|stopped)|our work|the work|please))?|pick up where (?:we|you) left off)[?.!]{0,3}$`,
  "iu",
);

/** A longer question names something. In UTF-16 units. */
const longestQuestion = 120;

/**
 * Whether a question in English asks where the work stands and names nothing: `Morning, where were we?`, `What is left to do?`. Not `What is left
 * to do for the login?`.
 */
export function asksWhatIsLeftToDo(question: string): boolean {
  return question.length <= longestQuestion && asking.test(question.trim());
}
