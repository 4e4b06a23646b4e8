import {
  type AssemblyRecall,
  type CallOptions,
  type ChatMessage,
  type LayoutDefinition,
  type Loci,
  type MemoryId,
  type Receipt,
  utf8ByteLength,
} from "@loci/domain";
import { blockOwners } from "./block-owners.ts";
import { blockLayout } from "./block-layout.ts";
import type { KnownConversation } from "./conversation.ts";
import { withoutRecalled } from "./without-recalled.ts";

/** What a block is made of. What is left out is as in every assembly: all that is relevant, as far as there is room. */
export interface BlockRecall extends Pick<
  AssemblyRecall,
  | "limit"
  | "procedureLimit"
  | "categories"
  | "where"
  | "profile"
  | "strategy"
  | "relevanceFloor"
  | "maxTokensPerMemory"
  | "fallback"
> {
  /** The most the block takes, tags and notice included: from 200. Default 2,000. */
  readonly maxTokens?: number | undefined;
  /** Whose days the dates of memories and "today" are: an IANA name such as `Europe/Berlin`. Default `UTC`. */
  readonly timeZone?: string | undefined;
}

/** What is recalled for a question, ready to stand before it. */
export interface RecalledBlock {
  readonly text: string;
  readonly tokens: number;
  /** What was kept, shortened or left out, and why. */
  readonly receipt: Receipt;
  /** The memories that stand in the text, in their order. */
  readonly memories: readonly MemoryId[];
}

export const defaultBlockTokens = 2_000;

/** Longer questions are asked by their beginning. */
const mostAsked = 32_000;

/** A question, and how it is answered. */
export interface BlockRequest {
  readonly question: string;
  /** What the user said before it, oldest first. */
  readonly earlier?: readonly string[] | undefined;
  readonly recall?: BlockRecall | undefined;
  /** Names of the tools in use, which bring the procedures for them. */
  readonly tools?: readonly string[] | undefined;
  /** Default {@link blockLayout}. */
  readonly layoutOf?: ((maxTokens: number) => LayoutDefinition) | undefined;
}

/** Recalls for a question. `undefined` when there is nothing to show. */
export async function recallBlock(
  loci: Pick<Loci, "assemble">,
  conversation: KnownConversation,
  { question, earlier = [], recall = {}, tools, layoutOf = blockLayout }: BlockRequest,
  options?: CallOptions,
): Promise<RecalledBlock | undefined> {
  const { maxTokens = defaultBlockTokens, timeZone, ...asked } = recall;
  const context = await loci.assemble(
    {
      layout: layoutOf(maxTokens),
      // The question stands where it was said. What stands for it here is not shown.
      query: unshownQuery,
      // In no section of the layout: they only tell what a question goes on from.
      messages: earlier.slice(-mostEarlier).map(askedAfter),
      window: { query: unshownQueryTokens, response: 0, safetyBuffer: 0 },
      recall: {
        ...asked,
        query: askedBy(question),
        scopes: conversation.recallFrom,
        tools: tools && namedTools(tools),
      },
      blockOwners: blockOwners(conversation),
      memoryDates: true,
      timeZone,
    },
    options,
  );
  const { receipt, usage, messages } = context;
  const shown = receipt.items.filter(({ kind, outcome }) => outcome !== "dropped" && shownKinds.has(kind));
  const text = messages[0]?.content;
  if (shown.length === 0 || typeof text !== "string") return undefined;
  const memories = shown.flatMap(({ id, kind }) => (kind === "memory" ? [id as MemoryId] : []));
  return { text, tokens: usage.totalTokens - usage.queryTokens, receipt, memories };
}

/** What of a receipt is worth showing: the rest is notice and tags. */
const shownKinds: ReadonlySet<string> = new Set(["memory", "block"]);
const unshownQuery = "?";
const unshownQueryTokens = 16;
/** So many messages back a question may go on from, and so much of each. */
const mostEarlier = 6;
const longestEarlier = 300;
const mostTools = 128;
const longestToolName = 200;

/** Those that a recall takes. */
function namedTools(tools: readonly string[]): readonly string[] {
  return tools
    .filter((name) => name !== "" && name.isWellFormed() && utf8ByteLength(name) <= longestToolName)
    .slice(0, mostTools);
}

function askedAfter(text: string): ChatMessage {
  return { role: "user", content: withoutRecalled(text).slice(-longestEarlier).toWellFormed() };
}

/** An image asks by nothing: then there is only what always stands. */
function askedBy(question: string): string {
  const asked = question.slice(0, mostAsked).toWellFormed();
  return asked.trim() === "" ? unshownQuery : asked;
}
