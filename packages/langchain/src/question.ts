import { type BaseMessage, type ContentBlock, HumanMessage } from "@langchain/core/messages";

/** Between a text that is put in front of a question and the words of the user. */
const behindText = "\n\n";

/** The latest message of the user, and where it stands. */
export interface Question {
  readonly message: HumanMessage;
  readonly index: number;
}

/** Finds it. A summary of what was said before has the form of a message of the user, and is none. */
export function latestQuestion(messages: readonly BaseMessage[]): Question | undefined {
  const index = messages.findLastIndex(isQuestion);
  return index === -1 ? undefined : { message: messages[index] as HumanMessage, index };
}

export function isQuestion(message: BaseMessage): message is HumanMessage {
  return HumanMessage.isInstance(message) && !isSummary(message);
}

/** Whether LangChain's own middleware wrote it in place of older messages. */
export function isSummary({ additional_kwargs }: BaseMessage): boolean {
  return additional_kwargs["lc_source"] === "summarization";
}

/** What the user says in words. */
export function textOfUser({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => textOfPart(part) ?? []).join("\n");
}

/** What the user says, with a word for what is no text. */
export function shownTextOfUser({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => textOfPart(part) ?? (part.type.startsWith("image") ? "[image]" : "[file]")).join("\n");
}

function textOfPart({ type, text }: ContentBlock): string | undefined {
  return type === "text" && typeof text === "string" ? text : undefined;
}

/** The messages with a text in front of the question. They themselves, and the question, stay what they were. */
export function withTextBefore(messages: readonly BaseMessage[], question: Question, text: string): BaseMessage[] {
  const { content, id, name, additional_kwargs, response_metadata } = question.message;
  const shown = new HumanMessage({
    content:
      typeof content === "string"
        ? text + behindText + content
        : [{ type: "text", text: text + behindText }, ...content],
    additional_kwargs,
    response_metadata,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
  });
  return messages.with(question.index, shown);
}
