/** `Assistant: noted`, as programs and people copy what was said to one. */
const speaker =
  /^[ \t>*]{0,8}(user|human|assistant|ai|system|bot|model|chatgpt|claude|gemini|gpt|agent|customer|client|support|interviewer)\*{0,2}:/iu;

/** So much of a line tells who speaks, in UTF-16 units. */
const longestLine = 40;

/**
 * Where a conversation begins that somebody pastes: the first line with a speaker, when at least two speak. It goes to the end: who `I` is behind
 * it nobody can tell. Without one the number of lines. Linear in the lines.
 */
export function startOfTranscript(lines: readonly string[]): number {
  const speakers = new Set<string>();
  let first = lines.length;
  for (const [index, line] of lines.entries()) {
    const name = speaker.exec(line.slice(0, longestLine))?.[1];
    if (name === undefined) continue;
    speakers.add(name.toLowerCase());
    first = Math.min(first, index);
  }
  return speakers.size > 1 ? first : lines.length;
}
