import { LociError, type OpenAiMessage } from "@loci/domain";
import type { WindowPlan } from "../budget/window.ts";
import { basesWithinGrowth, type GivenExcess, grownWindow } from "../budget/window-growth.ts";
import type { Conversation } from "../history/conversation.ts";
import { copyMessage } from "../history/message-copy.ts";
import { dayOfContext } from "../knowledge/memory-dates.ts";
import { MemoryWriter } from "../knowledge/memory-item.ts";
import {
  type PlaceableMemories,
  type PlacedMemory,
  placeMemories,
  placeStanding,
} from "../knowledge/place-memories.ts";
import { contentKind, type Layout, type LayoutSection } from "../layout/layout.ts";
import { withAnsweredCalls } from "../output/conversation-parts.ts";
import { formatOf } from "../rendering/format-of-layout.ts";
import { retrievedDataNotice } from "../rendering/notice.ts";
import type { Assembly, AssemblyInput } from "./assembly-input.ts";
import { warningsOf } from "./assembly-warnings.ts";
import { planCache } from "./cache-plan.ts";
import { type FittedWindow, fitWindow } from "./fit-window.ts";
import { checkGivenTexts } from "./given-text.ts";
import { HistorySection } from "./history-section.ts";
import { MemorySection } from "./memory-section.ts";
import { chatFramingTokens, contextText, systemMessage } from "./measure.ts";
import { keptUnder, readConversation } from "./read-conversation.ts";
import { receiptOf } from "./receipt.ts";
import { renderQuery, type RenderedQuery } from "./rendered-query.ts";
import type { SectionDraft, SectionTools } from "./section-draft.ts";
import { joinsLineBefore, sectionTexts } from "./section-texts.ts";
import { TextSection } from "./text-section.ts";
import { TokenMeter } from "./token-meter.ts";

/** What the sections of one assembly are made from. */
interface Materials {
  readonly input: AssemblyInput;
  readonly tools: SectionTools;
  readonly conversation: Conversation;
  /** Where the notice on retrieved data stands. */
  readonly noticeSection: LayoutSection | undefined;
  /** Memories by the section they are tried in first. Grows while sections that are never cut pass some on. */
  readonly placed: PlacedMemory[];
  /** Those that stand, and for which there is no room where they do. */
  readonly crowdedOut: PlacedMemory[];
}

/**
 * Builds the context for one model call. Pure: the same input gives the same context, byte for byte.
 *
 * Both forms of the result are within the budget, counted with everything around the items. What does not fit is
 * shortened or dropped, by rank, and stands in the receipt.
 *
 * @throws LociError `INVALID_MESSAGES`, `INVALID_TEXT`, or `RESERVED_DELIMITER` for a given text that holds a tag of the
 *   layout
 * @throws LociError `SECTION_OVER_BUDGET`, `WINDOW_TOO_SMALL`, `QUERY_TOO_LARGE`, `KEPT_MESSAGES_TOO_LARGE` or
 *   `HISTORY_TOO_LARGE` when what may not be cut does not fit
 */
export function assembleContext(input: AssemblyInput): Assembly {
  const { layout } = input;
  const format = formatOf(layout);
  checkGivenTexts(input, layout, format);
  if (input.query !== undefined) checkQuery(input.query);
  const partsAddUp = format.partsAddUp && !joinsLineBefore(input, format);
  const meter = new TokenMeter(input, { partsAddUp });
  const key = keptUnder(input);
  const conversation = readConversation(input, { format, meter }, key);
  const query = renderQuery(input.query, meter, format, conversation.repeatsQuery?.message.name);
  const { written, dateZone } = input;
  const writer = new MemoryWriter({ layout, format, count: meter.count, written, key, dateZone });
  const recalled: PlaceableMemories = input.recall ?? { hits: [] };
  const placed = [...placeStanding(recalled, layout, writer), ...placeMemories(recalled, layout, writer)];
  const tools = { format, meter };
  const crowdedOut: PlacedMemory[] = [];
  const drafts = prepareSections({
    input,
    tools,
    conversation,
    placed,
    crowdedOut,
    noticeSection: noticeSection(input, tools),
  });
  const plan = grownWindow(input.plan, givenExcess(drafts, query, input.plan));
  const budgetTokens = plan.totalTokens - plan.responseTokens - plan.safetyBufferTokens;
  const bases = basesOf(drafts, input.plan, plan, budgetTokens - Math.max(query.textTokens, query.chatTokens));
  const window = fitWindow({
    drafts,
    bases,
    mode: input.mode,
    query,
    reservedQueryTokens: plan.queryTokens,
    budgetTokens,
    framingTokens: plan === input.plan ? 0 : chatFramingTokens,
    mostSectionsTokens: layout.totalTokens === undefined ? undefined : plan.sectionsTokens,
    limits: plan.limits,
    checkCounter: input.checkCounter,
    provider: input.provider,
    meter,
  });
  const text = contextText(window.fitted, query);
  const cache = planCache(text, window.fitted, meter, input.sha256);
  const planned = { ...input, plan };
  const receipt = receiptOf({
    input: planned,
    drafts,
    bases,
    window,
    placed: [...placed, ...withoutRecalled(crowdedOut, placed)],
    conversation,
    query,
    budgetTokens,
    cache,
  });
  return {
    text,
    messages: chatMessages(window, query),
    sections: window.fitted.flatMap(({ blocks }) =>
      blocks.map(({ name, content, tokens }) => ({ name, content, tokens })),
    ),
    receipt,
    usage: {
      totalTokens: window.size.textTokens,
      messagesTokens: window.size.messagesTokens,
      budgetTokens,
      queryTokens: query.textTokens,
      responseTokens: plan.responseTokens,
    },
    warnings: warningsOf(planned, receipt),
    cache,
  };
}

function checkQuery(query: string): void {
  if (!query.isWellFormed())
    throw new LociError("INVALID_TEXT", {
      message: "query holds half of a surrogate pair.",
      field: "query",
      advice: "Cut texts between characters, not between UTF-16 units.",
    });
}

/** Sections of texts come first: which memories do not fit there is known before those of memories are made. */
function prepareSections(materials: Materials): readonly SectionDraft[] {
  const { sections } = materials.input.layout;
  const drafts = new Map<LayoutSection, SectionDraft>();
  const prepare = (isOfText: boolean): void => {
    for (const section of sections)
      if ((contentKind(section.source) === "given") === isOfText)
        drafts.set(section, prepareSection(section, materials));
  };
  prepare(true);
  leaveOutTwins(materials.placed);
  prepare(false);
  return sections.flatMap((section) => drafts.get(section) ?? []);
}

function prepareSection(section: LayoutSection, materials: Materials): SectionDraft {
  const { input, tools, conversation, placed } = materials;
  const { layout, plan, profile } = input;
  const baseTokens = plan.sections[section.name] ?? 0;
  // What a layout says is the most of a section stays so.
  const mayGrow = plan.growthTokens !== undefined && plan.limits[section.name]?.max === undefined;
  const common = { section, rank: section.rank[profile], baseTokens, tools };
  const { source } = section;
  const memories = placed.filter(({ place }) => place === source);
  switch (contentKind(source)) {
    case "history":
      return new HistorySection({
        ...common,
        mayGrow,
        conversation,
        isRunning: input.query === undefined,
        options: input.history ?? {},
        summary: input.historySummary,
      });
    case "memories":
      return new MemorySection({
        ...common,
        layout,
        memories,
        today: todayOf(input, section),
        isBesideOthers: standsElsewhere(materials),
      });
    default:
  }
  const notice = section === materials.noticeSection ? retrievedDataNotice(tools.format) : undefined;
  const draft = new TextSection({
    ...common,
    growthTokens: mayGrow ? plan.growthTokens : undefined,
    texts: sectionTexts(input, section, { layout, format: tools.format }),
    notice,
    standing: memories.filter(({ standing }) => standing !== undefined),
    memories: memories.filter(({ standing }) => standing === undefined),
  });
  for (const memory of draft.overflow) passOn(materials, memory);
  return draft;
}

/** Whether something is remembered in the context that stands there whatever the query says. */
function standsElsewhere({ input: { kept = [] }, placed }: Materials): boolean {
  return kept.some(({ kind }) => kind === "block") || placed.some(({ standing }) => standing !== undefined);
}

/** The day, where the context says when its memories were said. */
function todayOf({ dateZone, evaluationTime }: AssemblyInput, { source }: LayoutSection): string | undefined {
  return dateZone === undefined || source !== "knowledge" ? undefined : dayOfContext(evaluationTime, dateZone);
}

/** The system section; in a layout without, the first with given text, rather one that is never cut. */
function noticeSection(input: AssemblyInput, { format }: SectionTools): LayoutSection | undefined {
  const { sections }: Layout = input.layout;
  const given = sections.filter(({ source }) => contentKind(source) === "given");
  const filled = given.filter((section) => {
    const { stable, changing } = sectionTexts(input, section, { layout: input.layout, format });
    return [...stable, ...changing].some(({ text }) => text.trim() !== "");
  });
  return (
    given.find(({ source }) => source === "system") ??
    filled.find(({ shortening }) => shortening === "never") ??
    filled[0] ??
    given[0]
  );
}

/** What the caller gives beyond the budgets there are, with what frames it as a chat. */
function givenExcess(
  drafts: readonly SectionDraft[],
  { textTokens, chatTokens }: RenderedQuery,
  { sections: bases, queryTokens }: WindowPlan,
): GivenExcess {
  let sections = 0;
  for (const { section, baseTokens } of drafts) sections += baseTokens - (bases[section.name] ?? 0);
  const query = Math.max(0, Math.max(textTokens, chatTokens) - queryTokens);
  return { sections: sections === 0 ? 0 : sections + chatFramingTokens, query };
}

/**
 * What each section starts from in the window as it has grown.
 *
 * @param mostTokens of all sections: one that is never cut and needs more is refused by its name
 */
function basesOf(
  drafts: readonly SectionDraft[],
  { sections, growthTokens }: WindowPlan,
  { sectionsTokens }: WindowPlan,
  mostTokens: number,
): readonly number[] {
  // In a window of a fixed size the waterfall itself lowers what is too much.
  if (growthTokens === undefined) return drafts.map(({ baseTokens }) => baseTokens);
  const bases = basesWithinGrowth(
    drafts.map(({ section, rank, baseTokens }) => ({
      rank,
      baseTokens: sections[section.name] ?? 0,
      wantedTokens: baseTokens,
      isNeverCut: section.shortening === "never",
    })),
    sectionsTokens,
  );
  return bases.map((base, index) => {
    const { section } = drafts[index] as SectionDraft;
    return section.shortening === "never" ? Math.min(base, Math.max(sections[section.name] ?? 0, mostTokens)) : base;
  });
}

/** What stands and finds no room there is as if it did not: it may have been recalled as well. */
function passOn({ placed, crowdedOut }: Materials, memory: PlacedMemory): void {
  const index = placed.indexOf(memory);
  const { standing, place, fallback, primary } = memory;
  if (standing === undefined || fallback !== undefined) {
    placed[index] = { ...memory, place: fallback, fallback: undefined };
    return;
  }
  placed.splice(index, 1);
  crowdedOut.push({ ...memory, primary: place ?? primary });
}

/** Those that a recall has not found either: they are nowhere, and the receipt says so. */
function withoutRecalled(
  crowdedOut: readonly PlacedMemory[],
  placed: readonly PlacedMemory[],
): readonly PlacedMemory[] {
  if (crowdedOut.length === 0) return [];
  const ids = new Set(placed.map(({ hit }) => hit.memory.id));
  return crowdedOut.filter(({ hit }) => !ids.has(hit.memory.id));
}

/** A memory that stands was perhaps recalled as well: then only once. */
function leaveOutTwins(placed: PlacedMemory[]): void {
  const standing = new Set(placed.flatMap(({ standing, hit }) => (standing === undefined ? [] : [hit.memory.id])));
  if (standing.size === 0) return;
  const others = placed.filter((memory) => memory.standing !== undefined || !standing.has(memory.hit.memory.id));
  placed.splice(0, placed.length, ...others);
}

/** One system message, the kept conversation, the query. The caller may change them: they are copies. */
function chatMessages({ fitted }: FittedWindow, query: RenderedQuery): OpenAiMessage[] {
  const system = systemMessage(fitted);
  const turns = fitted.flatMap(({ conversation }) => conversation?.messages ?? []).map(({ message }) => message);
  const copies = turns.map((message, index) => copyMessage(withAnsweredCalls(turns, index, message)));
  const last = query.message === undefined ? [] : [query.message];
  // Of whom a message is was checked, and what it then must hold.
  return [...(system === undefined ? [] : [system]), ...copies, ...last] as OpenAiMessage[];
}
