import type {
  AssembledContext,
  AssembleRequest,
  AssemblyRecall,
  AssemblyWarning,
  CachePlan,
  ChatMessage,
  DayLog,
  ItemReceipt,
  HistoryOptions,
  LayeredFiles,
  LayoutDefinition,
  OpenAiMessage,
  Receipt,
  ReceiptCheck,
  SectionDefinition,
  SessionKeyInput,
  TokenCount,
  TokenUsage,
  WindowOverrides,
} from "@loci/domain";
import fc from "fast-check";
import { scope, scopes } from "./memories.ts";
import { double, doubleWithOneZero, instant, int32, namedValues, recordOf, text, tokens } from "./plain-values.ts";
import { droppedCandidate, recallSettings, scoreParts } from "./recall.ts";

const contentPart = fc.oneof(
  text.map((text) => ({ type: "text" as const, text })),
  fc
    .record(
      { url: text, detail: fc.constantFrom("auto" as const, "low" as const, "high" as const) },
      { requiredKeys: ["url"], noNullPrototype: true },
    )
    .map((image) => ({ type: "image_url" as const, image_url: image as { url: string } })),
);

const toolCall = fc
  .tuple(text, text, text)
  .map(([id, name, argument]) => ({ id, type: "function" as const, function: { name, arguments: argument } }));

/** `null` content and an empty list of calls are as good as none: the wire has one form for them. */
export const chatMessage: fc.Arbitrary<ChatMessage> = fc.record(
  {
    role: fc.constantFrom("system", "developer", "user", "assistant", "tool"),
    content: fc.oneof(text, fc.array(contentPart, { maxLength: 3 })),
    name: text,
    tool_calls: fc.array(toolCall, { minLength: 1, maxLength: 2 }),
    tool_call_id: text,
    id: text,
  },
  { requiredKeys: ["role"], noNullPrototype: true },
) as fc.Arbitrary<ChatMessage>;

const windowOverrides = recordOf<WindowOverrides>(
  {},
  {
    sections: namedValues(int32).filter((sections) => Object.keys(sections).length > 0),
    query: int32,
    response: int32,
    safetyBuffer: int32,
    scaleTo: int32,
    fillWindow: fc.boolean(),
    preset: fc.constantFrom("4K", "8K", "128K"),
    maxTokens: int32,
  },
);

const profile = fc.constantFrom("conversation" as const, "rag" as const);
const mode = fc.constantFrom("fill" as const, "cascade" as const, "last" as const, "sequential" as const);

const texts = namedValues(text).filter((values) => Object.keys(values).length > 0);

const layeredFiles = recordOf<LayeredFiles>(
  {},
  {
    files: texts,
    teamFiles: texts,
    days: fc.array(recordOf<DayLog>({ date: text, text }, {}), { minLength: 1, maxLength: 2 }),
  },
);

const layoutDefinition = recordOf<LayoutDefinition>(
  {
    name: text,
    sections: fc.array(
      recordOf<SectionDefinition>(
        {
          name: text,
          source: fc.constantFrom("system", "knowledge", "file:NOTES.md"),
          shortening: fc.constantFrom("never", "items"),
        },
        {
          title: text,
          rank: fc.oneof(
            int32,
            recordOf<{ conversation: number; rag: number }>({ conversation: int32, rag: int32 }, {}),
          ),
          base: int32,
          max: int32,
          floor: int32,
          maxItems: int32,
          maxProcedures: int32,
        },
      ),
      { maxLength: 2 },
    ),
  },
  {
    rendering: fc.constantFrom("xml", "markdown"),
    mode,
    totalTokens: int32,
    tokenizer: fc.constantFrom("approx", "o200k_base"),
    memoryForm: fc.constantFrom("element", "list"),
  },
);

export const assembleRequest: fc.Arbitrary<AssembleRequest> = recordOf<AssembleRequest>(
  {},
  {
    // An empty one is as good as none: the wire has one form for both.
    query: text.filter((query) => query !== ""),
    layout: fc.oneof(fc.constantFrom("memoryBlocks" as const, "threeTier" as const), layoutDefinition),
    profile,
    mode,
    model: text,
    window: windowOverrides,
    system: text,
    project: text,
    task: text,
    coreMemory: text,
    files: layeredFiles,
    messages: fc.array(chatMessage, { minLength: 1, maxLength: 3 }),
    session: recordOf<SessionKeyInput>({ scope, id: text }, {}),
    blockOwners: scopes,
    timeZone: text,
    memoryDates: fc.boolean(),
    history: recordOf<HistoryOptions>(
      {},
      {
        strategy: fc.constantFrom("summary", "window"),
        lastTurns: int32,
        maxTokens: int32,
        turnNumbers: fc.boolean(),
      },
    ),
    recall: recordOf<AssemblyRecall>({ scopes }, { ...recallSettings, query: text }),
    evaluationTime: instant,
    recordUsage: fc.constantFrom("kept", "none"),
    explain: fc.boolean(),
  },
);

const itemReceipt = recordOf<ItemReceipt>(
  {
    id: text,
    kind: fc.constantFrom("memory", "message", "summary", "text", "block", "turnState"),
    section: text,
    outcome: fc.constantFrom("kept", "shortened", "dropped"),
    tokens,
    wholeTokens: tokens,
  },
  { count: tokens, reason: fc.constantFrom("SECTION_FULL", "EMPTY"), source: text, score: double, parts: scoreParts },
);

const section = fc.record(
  {
    name: text,
    rank: tokens,
    baseTokens: tokens,
    grantedTokens: tokens,
    neededTokens: tokens,
    usedTokens: tokens,
    budgetTokens: tokens,
    utilization: doubleWithOneZero,
  },
  { noNullPrototype: true },
);

const window = fc.record(
  {
    preset: text,
    totalTokens: tokens,
    sectionsTokens: tokens,
    queryTokens: tokens,
    responseTokens: tokens,
    safetyBufferTokens: tokens,
    unusedTokens: tokens,
  },
  { noNullPrototype: true },
);

export const receipt: fc.Arbitrary<Receipt> = recordOf<Receipt>(
  {
    layout: text,
    profile,
    mode,
    tokenizer: text,
    estimated: fc.boolean(),
    window,
    evaluationTime: instant,
    sections: fc.array(section, { maxLength: 2 }),
    items: fc.array(itemReceipt, { maxLength: 3 }),
    droppedCandidates: fc.array(droppedCandidate, { maxLength: 2 }),
    stablePrefixHash: text,
  },
  {
    model: text,
    check: recordOf<ReceiptCheck>(
      { tokenizer: text, estimated: fc.boolean(), totalTokens: tokens, messagesTokens: tokens, budgetTokens: tokens },
      {},
    ),
  },
);

export const usage: fc.Arbitrary<TokenUsage> = fc.record(
  { totalTokens: tokens, messagesTokens: tokens, budgetTokens: tokens, queryTokens: tokens, responseTokens: tokens },
  { noNullPrototype: true },
);

export const assembledContext: fc.Arbitrary<AssembledContext> = recordOf<AssembledContext>(
  {
    text,
    messages: fc.array(chatMessage as fc.Arbitrary<OpenAiMessage>, { maxLength: 3 }),
    sections: fc.array(fc.record({ name: text, content: text, tokens }, { noNullPrototype: true }), { maxLength: 2 }),
    receipt,
    usage,
    warnings: fc.array(
      recordOf<AssemblyWarning>(
        { reason: fc.constantFrom("UNKNOWN_MODEL", "ITEMS_DROPPED"), message: text, advice: text },
        { section: text },
      ),
      { maxLength: 2 },
    ),
    cache: recordOf<CachePlan>(
      { stablePrefixHash: text, stablePrefixTokens: tokens, stablePrefixLength: tokens },
      { breakpointAfter: text },
    ),
    timings: namedValues(doubleWithOneZero),
  },
  { receiptId: text },
);

export const tokenCountRequest: fc.Arbitrary<{ text: string; model?: string | undefined }> = recordOf<{
  text: string;
  model?: string | undefined;
}>({ text }, { model: text });

export const tokenCount: fc.Arbitrary<TokenCount> = fc.record(
  { tokens, tokenizer: text, estimated: fc.boolean() },
  { noNullPrototype: true },
);
