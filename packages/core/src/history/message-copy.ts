import { type ChatMessage, type ContentPart, isPlainObject, type ToolCall } from "@loci/domain";

type Writable<Fields> = { -readonly [Name in keyof Fields]: Fields[Name] };

/**
 * True when a message says what a known one says, in every field. Texts that are one string in memory, as those of a
 * session in one process are, are compared at once.
 *
 * @param given may be anything; what is not made of plain objects is never the same
 */
export function isSameMessage(known: ChatMessage, given: ChatMessage): boolean {
  if (known === given) return true;
  if (typeof given !== "object" || given === null) return false;
  return (
    known.role === given.role &&
    known.id === given.id &&
    known.name === given.name &&
    known.tool_call_id === given.tool_call_id &&
    (known.content === given.content || isSameContent(known.content, given.content)) &&
    (known.tool_calls === given.tool_calls || isSameList(known.tool_calls, given.tool_calls, isSameCall)) &&
    // Last, where it costs nothing: by then the compiler knows what kind of object it is.
    isPlainObject(given)
  );
}

/**
 * A copy that shares nothing with the message but its texts: the fields that chat APIs know, and no others. The id is left
 * out: it is the caller's own, and a provider may refuse a field it does not know.
 */
export function copyMessage(message: ChatMessage): Writable<ChatMessage> {
  const { role, content, name, tool_calls: calls, tool_call_id: answered } = message;
  const copy: Writable<ChatMessage> = { role };
  // In the order of the wire: an answer is the same, byte for byte, whichever way it comes.
  if (content !== undefined) copy.content = isListOfParts(content) ? content.map(copyPart) : content;
  if (name !== undefined) copy.name = name;
  if (calls !== undefined) copy.tool_calls = calls.map(copyCall);
  if (answered !== undefined) copy.tool_call_id = answered;
  return copy;
}

/** A copy that nobody can change, with its id. */
export function frozenMessage(message: ChatMessage): ChatMessage {
  const copy = copyMessage(message);
  if (message.id !== undefined) copy.id = message.id;
  return frozen(copy);
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

function copyPart(part: ContentPart): ContentPart {
  if (part.type === "text") return { type: part.type, text: part.text };
  const { url, detail } = part.image_url;
  return { type: part.type, image_url: detail === undefined ? { url } : { url, detail } };
}

function copyCall({ id, type, function: { name, arguments: given } }: ToolCall): ToolCall {
  return { id, type, function: { name, arguments: given } };
}

function isSameContent(known: ChatMessage["content"], given: ChatMessage["content"]): boolean {
  return isListOfParts(known) && isSameList(known, given, isSamePart);
}

function isSamePart(known: ContentPart, given: ContentPart): boolean {
  if (known.type === "text") return given.type === "text" && known.text === given.text;
  return (
    given.type === "image_url" &&
    isPlainObject(given.image_url) &&
    known.image_url.url === given.image_url.url &&
    known.image_url.detail === given.image_url.detail
  );
}

function isSameCall(known: ToolCall, given: ToolCall): boolean {
  return (
    known.id === given.id &&
    known.type === given.type &&
    isPlainObject(given.function) &&
    known.function.name === given.function.name &&
    known.function.arguments === given.function.arguments
  );
}

function isSameList<Element extends object>(
  known: readonly Element[] | undefined,
  given: unknown,
  isSame: (known: Element, given: Element) => boolean,
): boolean {
  if (known === undefined || !Array.isArray(given) || given.length !== known.length) return false;
  return known.every((element, index) => {
    const other: unknown = given[index];
    return isPlainObject(other) && isSame(element, other as Element);
  });
}

function isListOfParts(content: ChatMessage["content"]): content is readonly ContentPart[] {
  return Array.isArray(content);
}
