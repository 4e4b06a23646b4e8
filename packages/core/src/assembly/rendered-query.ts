import type { ChatMessage } from "@loci/domain";
import { chatMessageTokens } from "../tokens/message-framing.ts";
import { type ContextFormat, queryHeading } from "../rendering/context-format.ts";
import type { TokenMeter } from "./token-meter.ts";

/** The user's question in both forms. */
export interface RenderedQuery {
  /** The escaped question, in a block of its own. */
  readonly text: string;
  readonly textTokens: number;
  readonly message: ChatMessage;
  readonly chatTokens: number;
}

export function renderQuery(query: string, meter: TokenMeter, format: ContextFormat): RenderedQuery {
  const closing = format.closing(queryHeading);
  const content = format.escapeText(query, "line");
  const text = format.openingLine(queryHeading) + content + (closing === "" ? "" : `\n${closing}`);
  const message: ChatMessage = { role: "user", content: query };
  return { text, textTokens: meter.count(text), message, chatTokens: chatMessageTokens(message, meter.count) };
}
