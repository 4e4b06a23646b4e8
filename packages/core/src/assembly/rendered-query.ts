import type { ChatMessage } from "@loci/domain";
import { chatMessageTokens } from "../tokens/message-framing.ts";
import { type ContextFormat, queryHeading } from "../rendering/context-format.ts";
import type { TokenMeter } from "./token-meter.ts";

/** The user's question in both forms. */
export interface RenderedQuery {
  /** The escaped question, in a block of its own. Absent when it stands in the conversation. */
  readonly text?: string | undefined;
  readonly textTokens: number;
  readonly message?: ChatMessage | undefined;
  readonly chatTokens: number;
}

/** Of a question that stands in the conversation. */
export const noQuery: RenderedQuery = { textTokens: 0, chatTokens: 0 };

/**
 * @param query absent when the question stands in the conversation, which is then all there is of it
 * @param name of who asks, where it was said with a name
 */
export function renderQuery(
  query: string | undefined,
  meter: TokenMeter,
  format: ContextFormat,
  name?: string,
): RenderedQuery {
  if (query === undefined) return noQuery;
  const closing = format.closing(queryHeading);
  const content = format.escapeText(query, "line");
  const text = format.openingLine(queryHeading) + content + (closing === "" ? "" : `\n${closing}`);
  const message: ChatMessage = { role: "user", content: query, ...(name === undefined ? {} : { name }) };
  return { text, textTokens: meter.count(text), message, chatTokens: chatMessageTokens(message, meter.count) };
}
