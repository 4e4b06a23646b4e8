const thoughtsStart = "<think>";
const thoughtsEnd = "</think>";

/**
 * Reads a model's answer that is to be one JSON object. Models put a code fence around it, words before and behind it, and
 * servers leave what was thought first: all of that is left out. Where two objects stand in it, or the JSON has a mistake or ends
 * too early, nobody can tell what is meant.
 *
 * @returns `undefined` when it cannot be read
 */
export function parseJsonReply(text: string): unknown {
  const said = withoutThoughts(text);
  return parsed(said) ?? parsed(said.slice(Math.max(0, said.indexOf("{")), said.lastIndexOf("}") + 1));
}

function withoutThoughts(text: string): string {
  if (!text.trimStart().startsWith(thoughtsStart)) return text;
  const end = text.indexOf(thoughtsEnd);
  return end < 0 ? "" : text.slice(end + thoughtsEnd.length);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
