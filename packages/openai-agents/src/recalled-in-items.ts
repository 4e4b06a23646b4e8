import { withoutRecalled } from "@loci/agent";
import type { AgentInputItem, UserMessageItem } from "@openai/agents-core";

type UserContent = UserMessageItem["content"];

/** Between a block and the words of the user. */
const behindBlock = "\n\n";

export function isOfUser(item: AgentInputItem): item is UserMessageItem {
  return "role" in item && item.role === "user";
}

/** What a user said in words. */
export function textOfUser({ content }: UserMessageItem): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "input_text" ? [part.text] : [])).join("\n");
}

/** The content with a block as its first text. */
export function withBlock(content: UserContent, block: string): UserContent {
  if (typeof content === "string") return block + behindBlock + content;
  return [{ type: "input_text", text: block + behindBlock }, ...content];
}

/** The content as it was before a block was put in front of it. */
export function withoutBlock(content: UserContent): UserContent {
  if (typeof content === "string") return textBehindBlock(content);
  const [first, ...others] = content;
  if (first?.type !== "input_text") return content;
  const text = textBehindBlock(first.text);
  if (text === first.text) return content;
  return text === "" ? others : [{ ...first, text }, ...others];
}

/** The items without the blocks that were put into messages of the user. Everything else is the same. */
export function withoutRecalledBlocks<Item extends AgentInputItem>(items: readonly Item[]): Item[] {
  return items.map((item) => {
    if (!isOfUser(item)) return item;
    const content = withoutBlock(item.content);
    return content === item.content ? item : { ...item, content };
  });
}

/** To the byte: spaces that the user began with stay. */
function textBehindBlock(text: string): string {
  const said = withoutRecalled(text);
  if (said === text) return text;
  const block = text.slice(0, text.length - said.length).trimEnd();
  return text.startsWith(behindBlock, block.length) ? text.slice(block.length + behindBlock.length) : said;
}
