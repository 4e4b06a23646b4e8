/**
 * The body of a response as text, unless it is too large: then the rest is not read. Unpacked bytes count, so that a
 * small compressed answer cannot become a large one.
 *
 * @returns `undefined` when it is larger than `maxBytes`
 */
export async function readLimitedBody(response: Response, maxBytes: number): Promise<string | undefined> {
  if (response.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Leaving the loop cancels the stream, and with it the connection.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
