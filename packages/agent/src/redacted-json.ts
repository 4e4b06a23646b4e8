/** A text of JSON, also one that does not end, so that none is read twice; or what stands in the place of a number that was taken for a secret. */
const textOrRedaction = /"(?:[^"\\]|\\[^]?)*"?|-?\[redacted: [^\]"]{1,40}\]/gu;

/**
 * Reads JSON of a turn, from which a session may have taken secrets: a number that looked like one, such as the number of a card, is a
 * text then, `[redacted: card]`.
 *
 * @param reviver as `JSON.parse` takes it
 * @throws SyntaxError
 */
export function parseRedactedJson(json: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  try {
    return JSON.parse(json, reviver);
  } catch {
    const quoted = json.replace(textOrRedaction, (found) => (found.startsWith('"') ? found : `"${found}"`));
    return JSON.parse(quoted, reviver);
  }
}
