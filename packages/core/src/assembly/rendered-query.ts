import type { ChatMessage } from "@loci/domain";
import { chatMessageTokens } from "../tokens/message-framing.ts";
import { escapeText } from "../rendering/escape.ts";
import { closingTag, openingLine } from "../rendering/xml.ts";
import type { TokenMeter } from "./token-meter.ts";

const queryTag = "query";

/** The user's question in both forms. */
export interface RenderedQuery {
  /** `<query>`, the escaped question, `</query>`. */
  readonly text: string;
  readonly textTokens: number;
  readonly message: ChatMessage;
  readonly chatTokens: number;
}

export function renderQuery(query: string, meter: TokenMeter): RenderedQuery {
  const text = `${openingLine(queryTag)}${escapeText(query)}\n${closingTag(queryTag)}`;
  const message: ChatMessage = { role: "user", content: query };
  return { text, textTokens: meter.count(text), message, chatTokens: chatMessageTokens(message, meter.count) };
}
