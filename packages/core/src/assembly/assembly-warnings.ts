import {
  type AssemblyWarning,
  type ChatMessage,
  type ItemReceipt,
  messageSpan,
  type Receipt,
  type SectionReceipt,
  shownText,
} from "@loci/domain";
import { contentKind } from "../layout/layout.ts";
import type { AssemblyInput, AssemblyMemories } from "./assembly-input.ts";

/** From this share of its budget on a section is nearly full. */
const nearlyFull = 0.9;
const shortHistoryTokens = 100;

/** What the caller may want to change, in a fixed order. */
export function warningsOf(input: AssemblyInput, receipt: Receipt): readonly AssemblyWarning[] {
  return [
    ...modelWarnings(input),
    ...recallWarnings(input),
    ...leftOutWarnings(input, receipt),
    ...historyWarnings(input, receipt),
    ...receipt.sections.flatMap((section) => sectionWarnings(input, section, receipt)),
    ...receipt.sections.flatMap((section) => droppedWarnings(input, section, receipt)),
  ];
}

function modelWarnings({ model, counter, plan }: AssemblyInput): AssemblyWarning[] {
  const warnings: AssemblyWarning[] = [];
  if (model?.known === false)
    warnings.push({
      reason: "UNKNOWN_MODEL",
      message: `Nothing is known of the model ${shownText(model.name, 100)}; the ${plan.preset} window and ${counter.id} were used.`,
      advice: `${model.meant === undefined ? "Name a known model" : `Did you mean ${model.meant}? Name a known model`}, tell of this one in the option models, or set the window's parts yourself.`,
    });
  if (counter.estimated)
    warnings.push({
      reason: "ESTIMATED_TOKENS",
      message: `The model's own tokenizer is not public; tokens were estimated with ${counter.id}.`,
      advice: "Keep the safety buffer, or lower window.safetyBuffer only after comparing with the provider's counts.",
    });
  return warnings;
}

/** Memories that are there and do not answer are nothing that scopes or approvals would change. */
function emptyRecall({ dropped }: AssemblyMemories): Pick<AssemblyWarning, "message" | "advice"> {
  const far = dropped.filter(({ reason }) => reason === "BELOW_RELEVANCE_FLOOR").length;
  if (far > 0)
    return {
      message: `Recall found no memory for this query: ${far} of those it looked at ${far === 1 ? "does" : "do"} not come close enough to it.`,
      advice:
        "That is as it should be where none answers it. Else ask in words of the memory, or lower recall.relevanceFloor.",
    };
  return {
    message: "Recall found no memory for this query.",
    advice:
      'Check the scopes and filters, and whether memories wait for approval (captures.reviews), or set recall.fallback to "recent" (--fallback recent).',
  };
}

function recallWarnings({ recall, layout }: AssemblyInput): AssemblyWarning[] {
  if (recall === undefined) return [];
  const warnings: AssemblyWarning[] = [];
  const knowledge = layout.sections.find(({ source }) => source === "knowledge");
  const section = knowledge === undefined ? {} : { section: knowledge.name };
  if (recall.hits.length === 0) warnings.push({ reason: "EMPTY_KNOWLEDGE", ...section, ...emptyRecall(recall) });
  else if (recall.hasQuery !== false && recall.hits.every(({ foundBy }) => foundBy === "tag" || foundBy === "recent"))
    warnings.push({
      reason: "KNOWLEDGE_MISMATCH",
      ...section,
      message: `None of the ${recall.hits.length} memories was found by what the query says.`,
      advice: "Give recall a query of its own, closer to how the memories are worded.",
    });
  if (recall.degraded.length > 0)
    warnings.push({
      reason: "RECALL_DEGRADED",
      ...section,
      message: `Recall was not at its best: ${recall.degraded.join(", ")}.`,
      advice: "Try again later; memories may be missing from this context.",
    });
  return warnings;
}

/** Where so many of its tokens are unused, a window has room for one more. */
const roomForOne = 100;

function leftOutWarnings({ recall, layout }: AssemblyInput, { window }: Receipt): AssemblyWarning[] {
  const { overLimit = 0 } = recall ?? {};
  if (overLimit === 0 || window.unusedTokens < roomForOne) return [];
  const section = layout.sections.find(({ source }) => source === "knowledge")?.name;
  return [
    {
      reason: "MEMORIES_LEFT_OUT",
      ...(section === undefined ? {} : { section }),
      message: `${overLimit} relevant memories were left out by the limits of the recall, while ${window.unusedTokens} tokens are unused.`,
      advice:
        "Raise recall.limit, recall.procedureLimit and recall.maxTokens, or leave them out: then the window decides.",
    },
  ];
}

/** Of a conversation of which little is shown and something is not. Where all that was said is shown nothing is missing. */
function historyWarnings({ layout }: AssemblyInput, receipt: Receipt): AssemblyWarning[] {
  const section = layout.sections.find(({ source }) => source === "history")?.name;
  const used = receipt.sections.find(({ name }) => name === section)?.usedTokens ?? 0;
  if (section === undefined || used >= shortHistoryTokens) return [];
  const said = receipt.items.filter(({ kind, reason }) => kind === "message" && !isNotSaid(reason));
  const kept = countOf(said.filter(({ outcome }) => outcome !== "dropped"));
  const all = countOf(said);
  if (kept === all) return [];
  return [
    {
      reason: "SHORT_HISTORY",
      section,
      message: `The history takes ${used} tokens, fewer than ${shortHistoryTokens}, and holds ${kept} of ${all} messages; what the others say may be missing.`,
      advice: `Raise window.sections.${section}, history.maxTokens or history.lastTurns, or use a larger window.`,
    },
  ];
}

function sectionWarnings(input: AssemblyInput, section: SectionReceipt, receipt: Receipt): AssemblyWarning[] {
  const { name, usedTokens, neededTokens } = section;
  const shown = receipt.items.filter((item) => item.section === name && item.outcome !== "dropped");
  const shortened = shown.filter(({ kind, outcome }) => kind !== "memory" && outcome === "shortened");
  const messages = shortened.filter(({ kind }) => kind === "message");
  if (messages.length > 0) return [messagesShortened(input, section, messages)];
  if (shortened.length > 0)
    return [
      {
        reason: "TEXT_SHORTENED",
        section: name,
        message: `The text of the section "${name}" was cut at its end: ${usedTokens} of ${neededTokens} tokens are shown.`,
        advice: `Shorten it, raise window.sections.${name}, or use a larger window.`,
      },
    ];
  const isNeverCut = neverCut(input, name);
  // All it holds are the words that say that there is nothing.
  if (shown.length === 0 && !isNeverCut) return [];
  const limit = limitOf(input, section, receipt);
  if (usedTokens <= nearlyFull * limit) return [];
  const percent = Math.round((usedTokens / limit) * 100);
  return [
    {
      reason: isNeverCut ? "SYSTEM_NEAR_BUDGET" : "SECTION_NEARLY_FULL",
      section: name,
      message: `The section "${name}" takes ${usedTokens} of ${limit} tokens (${percent}%).`,
      advice: isNeverCut
        ? `It is never cut: shorten it before it becomes an error, or raise window.sections.${name}.`
        : `Shorten what goes in, or raise window.sections.${name}.`,
    },
  ];
}

function messagesShortened(
  { messages }: AssemblyInput,
  { name }: SectionReceipt,
  shortened: readonly ItemReceipt[],
): AssemblyWarning {
  let tokens = 0;
  let wholeTokens = 0;
  for (const item of shortened) {
    tokens += item.tokens;
    wholeTokens += item.wholeTokens;
  }
  const roles = new Set(shortened.map((item) => messages[messageSpan(item)?.first ?? 0]?.role));
  const areResults = roles.size === 1 && roles.has("tool");
  const many = areResults ? "long results of tools" : "long messages";
  const what = shortened.length === 1 ? oneShortened([...roles][0]) : `${shortened.length} ${many} are`;
  const less = areResults ? "Let the tool give less at once, raise" : "Raise";
  return {
    reason: "TEXT_SHORTENED",
    section: name,
    message: `${what} shown with beginning and end only: ${tokens} of ${wholeTokens} tokens.`,
    advice: `${less} window.sections.${name}, or use a larger window.`,
  };
}

function oneShortened(role: ChatMessage["role"] | undefined): string {
  if (role === "tool") return "A long result of a tool is";
  return role === "user" ? "A long message of the user is" : "What a tool was called with is";
}

/**
 * What a section is nearly full of. In `sequential` a section gets what it needs and no more, so that it always fills that:
 * what counts there is its maximum; what it got, once it had to be cut; and for one that is never cut what others like it
 * leave of the window.
 */
function limitOf(input: AssemblyInput, section: SectionReceipt, receipt: Receipt): number {
  return budgetOf(input, section, receipt) + growthOf(input, section, receipt);
}

/** By how much a section could still grow: what nothing else takes of the window, and the window for what the caller gives. */
function growthOf({ layout, mode, plan }: AssemblyInput, section: SectionReceipt, { window }: Receipt): number {
  const defined = layout.sections.find(({ name }) => name === section.name);
  const unusedTokens = Math.max(0, window.unusedTokens);
  if (plan.growthTokens === undefined || defined === undefined || contentKind(defined.source) === "memories")
    return mode !== "sequential" && tookOfOthers(section) ? unusedTokens : 0;
  if (mode !== "sequential") return plan.growthTokens + unusedTokens;
  return plan.limits[section.name]?.max === undefined ? plan.growthTokens : 0;
}

/** It has more than its base, and all that it needs: what it was granted is no limit then. */
function tookOfOthers({ baseTokens, grantedTokens, neededTokens }: SectionReceipt): boolean {
  return grantedTokens > baseTokens && grantedTokens >= neededTokens;
}

function budgetOf({ mode, plan, ...input }: AssemblyInput, section: SectionReceipt, receipt: Receipt): number {
  const { name, budgetTokens, grantedTokens, neededTokens } = section;
  if (mode !== "sequential" || grantedTokens < neededTokens) return budgetTokens;
  if (!neverCut(input, name)) return plan.limits[name]?.max ?? Infinity;
  const others = receipt.sections.filter((other) => other !== section && neverCut(input, other.name));
  return plan.sectionsTokens - others.reduce((sum, { usedTokens }) => sum + usedTokens, 0);
}

function neverCut({ layout }: Pick<AssemblyInput, "layout">, name: string): boolean {
  return layout.sections.some((section) => section.name === name && section.shortening === "never");
}

function droppedWarnings({ layout }: AssemblyInput, { name }: SectionReceipt, { items }: Receipt): AssemblyWarning[] {
  const meant = items.filter(({ section }) => section === name);
  const dropped = meant.filter((item) => item.outcome === "dropped" && !isElsewhere(item));
  // Those beyond a layout's own number are not missing.
  const { maxItems } = layout.sections.find((section) => section.name === name) ?? {};
  const isFull = maxItems !== undefined && meant.filter(({ outcome }) => outcome !== "dropped").length >= maxItems;
  if (dropped.length === 0 || isFull) return [];
  return [
    {
      reason: "ITEMS_DROPPED",
      section: name,
      message: `${countOf(dropped)} of ${countOf(meant)} items meant for the section "${name}" found no room.`,
      advice: `Raise window.sections.${name}, use a larger window, or pass less.`,
    },
  ];
}

/** What is not missing: it says nothing, or is said as the query or in the summary. */
function isElsewhere({ reason }: ItemReceipt): boolean {
  return isNotSaid(reason) || reason === "SUMMARIZED";
}

/** Of a message that says nothing, or only what the query says. */
function isNotSaid(reason: ItemReceipt["reason"]): boolean {
  return reason === "EMPTY" || reason === "REPEATS_QUERY";
}

/** How many things these items stand for. */
function countOf(items: readonly ItemReceipt[]): number {
  let count = 0;
  for (const item of items) count += item.count ?? 1;
  return count;
}
