/** `Assistant: noted`, as programs and people copy what was said to one. */
const role =
  /^[ \t>*]{0,8}(user|human|assistant|ai|system|bot|model|chatgpt|claude|gemini|gpt|agent|customer|client|support|interviewer)\*{0,2}:/iu;

const name = String.raw`\p{Lu}[\p{L}\p{N}'’._-]{0,30}(?: \p{Lu}[\p{L}'’._-]{0,30}){0,2}`;
const time = String.raw`\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?`;
const date = String.raw`(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4})`;
/** Who has these names speaks. Of the others lists tell as well: `System: Windows 11`, `Model: XPS 13`. */
const speaking = /^(?:user|human|assistant|chatgpt|claude|gemini|gpt|interviewer)$/u;

/**
 * `[10:31] Bob: …`, `3/1/26, 10:31 - Bob: …`, `Bob (10:31): …`: as programs for messages copy them. `Lunch 12:30: salad` is how people write
 * lists.
 */
const timed = new RegExp(
  String.raw`^[ \t>*]{0,8}(?:\[(?:${date},? )?${time}\] ${name}|${date},? ${time} (?:- )?${name}|${name},? (?:[([](?:${date},? )?${time}[)\]]|${date},? ${time})):\s`,
  "u",
);

/** So much of a line tells who speaks, in UTF-16 units. */
const longestLine = 140;

/**
 * Where a conversation begins that somebody pastes: the first line that says who speaks, when two roles do that have a conversation, or two lines say when. It goes to
 * the end: who `I` is behind it nobody can tell. Without one the number of lines. Linear in the lines.
 */
export function startOfTranscript(lines: readonly string[]): number {
  const starts = lines.map((line) => line.slice(0, longestLine));
  const roles = starts.map((start) => role.exec(start)?.[1]?.toLowerCase());
  const speakers = roles.filter((each) => each !== undefined);
  const different = new Set(speakers).size;
  const isConversation = different > 1 && (speakers.length > different || speakers.some((each) => speaking.test(each)));
  const times = starts.map((start) => timed.test(start));
  const begins = [
    ...(isConversation ? [roles.findIndex((each) => each !== undefined)] : []),
    ...(times.filter(Boolean).length > 1 ? [times.indexOf(true)] : []),
  ];
  return Math.min(lines.length, ...begins);
}
