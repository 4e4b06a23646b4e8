const fenced = /^\s*(?:```|~~~)[\w-]*[ \t]*\r?\n([^]*?)\r?\n[ \t]*(?:```|~~~)\s*$/;

/**
 * Reads a model's answer as JSON. One code fence around all of it is taken off; anything else before or behind the JSON
 * makes it unreadable, as does JSON that ends too early.
 *
 * @returns `undefined` when it cannot be read
 */
export function parseJsonReply(text: string): unknown {
  const json = fenced.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
