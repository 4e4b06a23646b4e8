import { type Layout, messageText, shortenedMessage } from "@loci/core";
import { type ChatMessage, type HistoryOptions, utf8ByteLength } from "@loci/domain";

/** The share of the history's section that goes to whole messages when it does not fit whole. */
const shareForMessages = 0.7;
/** What a message's framing takes at most, in tokens. */
const framingTokens = 16;

/** Tokens of a message of this text, rather too many: at least three bytes of UTF-8 make a token, in nearly every text. */
export function mostTokensOf(text: string): number {
  return utf8ByteLength(text) / 3 + framingTokens;
}

/**
 * The texts of the newest messages that will stand in the context word for word, whatever else does: as many as the history's
 * section holds at its base budget, by a count that is rather too high; but for those with long texts, which may be shortened.
 * Empty for a layout without a conversation.
 *
 * @param baseTokens of that section, with what it grows by
 */
export function textsInWindow(
  messages: readonly ChatMessage[],
  layout: Layout,
  baseTokens: number,
  { lastTurns = Infinity, maxTokens = Infinity }: HistoryOptions,
): readonly string[] {
  const texts: string[] = [];
  const section = layout.sections.find(({ source }) => source === "history");
  if (section === undefined) return texts;
  let room = Math.min(maxTokens, shareForMessages * baseTokens);
  let turns = 0;
  for (let position = messages.length - 1; position >= 0; position--) {
    const message = messages[position] as ChatMessage;
    const text = messageText(message);
    room -= mostTokensOf(text);
    if (room < 0 || turns >= lastTurns) break;
    if (message.role === "user") turns++;
    if (shortenedMessage(message) === undefined) texts.push(text);
  }
  return texts;
}
