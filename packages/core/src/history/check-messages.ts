import { type ChatMessage, LociError } from "@loci/domain";

const roles: readonly unknown[] = ["system", "developer", "user", "assistant", "tool"];

/** No call waits for its result. */
const none = new Set<string>();

/** Something from outside that claims to be an object. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * Checks a conversation that came from outside: known roles; content that is text, parts of text and images, or nothing;
 * well-formed UTF-16 throughout; every tool result right behind the message that called for it.
 *
 * @param from a position before which they were checked already; no tool result stands there
 * @throws LociError `INVALID_MESSAGES` with the path of what is wrong
 */
export function checkMessages(messages: readonly ChatMessage[], from = 0): void {
  let openCalls = none;
  const values = listOf(messages, "messages");
  for (let index = from; index < values.length; index++) {
    const value = values[index];
    if (isPlainMessage(value)) {
      openCalls = none;
      continue;
    }
    const path = `messages[${index}]`;
    const message = fieldsOf(value, path);
    const { role, content, name } = message;
    if (!roles.includes(role)) throw invalid(`${path}.role`, `must be one of ${roles.join(", ")}`);
    if (content !== undefined && content !== null) checkContent(content, `${path}.content`);
    if (name !== undefined) checkText(name, `${path}.name`);
    if (role === "tool") {
      const answered = checkText(message["tool_call_id"], `${path}.tool_call_id`);
      if (!openCalls.delete(answered))
        throw invalid(`${path}.tool_call_id`, "answers no tool call of the message before it");
    } else openCalls = checkToolCalls(message, `${path}.tool_calls`);
  }
}

/** Most messages are: said by someone, of text and nothing else. */
function isPlainMessage(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { role, content, name, tool_calls: calls } = value as Fields;
  return (
    (role === "user" || role === "assistant" || role === "system") &&
    name === undefined &&
    calls === undefined &&
    typeof content === "string" &&
    content.isWellFormed()
  );
}

function checkContent(content: unknown, path: string): void {
  if (!Array.isArray(content)) {
    checkText(content, path, "must be text or a list of parts");
    return;
  }
  for (const [index, value] of (content as readonly unknown[]).entries()) {
    const at = `${path}[${index}]`;
    const part = fieldsOf(value, at);
    if (part["type"] === "text") checkText(part["text"], `${at}.text`);
    else if (part["type"] === "image_url")
      checkText(fieldsOf(part["image_url"], `${at}.image_url`)["url"], `${at}.image_url.url`);
    else throw invalid(`${at}.type`, "must be text or image_url");
  }
}

/** Returns the ids of the calls, which the messages behind this one may answer. */
function checkToolCalls({ role, tool_calls: calls }: Fields, path: string): Set<string> {
  if (calls === undefined) return new Set();
  if (role !== "assistant") throw invalid(path, "may only stand in a message of the assistant");
  return new Set(
    listOf(calls, path).map((value, index) => {
      const at = `${path}[${index}]`;
      const call = fieldsOf(value, at);
      const called = fieldsOf(call["function"], `${at}.function`);
      checkText(called["name"], `${at}.function.name`);
      checkText(called["arguments"], `${at}.function.arguments`);
      return checkText(call["id"], `${at}.id`);
    }),
  );
}

function checkText(value: unknown, path: string, expectation = "must be text"): string {
  if (typeof value !== "string") throw invalid(path, expectation);
  if (!value.isWellFormed()) throw invalid(path, "holds half of a surrogate pair");
  return value;
}

function listOf(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(path, "must be a list");
  return value;
}

function fieldsOf(value: unknown, path: string): Fields {
  if (typeof value !== "object" || value === null) throw invalid(path, "must be an object");
  return value as Fields;
}

function invalid(field: string, problem: string): LociError {
  return new LociError("INVALID_MESSAGES", {
    message: `${field} ${problem}.`,
    field,
    advice: "Pass the conversation exactly as the OpenAI chat API takes it, oldest message first.",
  });
}
