import type { RenderedMessage } from "../history/conversation-reading.ts";
import type { LargestMessage } from "../history/largest-message.ts";
import type { RenderedSummary } from "../history/render-summary.ts";
import type { KeptUnits } from "../history/window.ts";
import type { PlacedMemory } from "../knowledge/place-memories.ts";
import type { LayoutSection } from "../layout/layout.ts";
import { type Attributes, type BlockHeading, blockSeparator, type ContextFormat } from "../rendering/context-format.ts";
import type { FittedPart } from "./section-texts.ts";
import type { TokenMeter } from "./token-meter.ts";

/** A section before its share of the window is known. */
export interface SectionDraft {
  readonly section: LayoutSection;
  readonly rank: number;
  /** Of a section that may grow, at least what it takes of what the caller gives. */
  readonly baseTokens: number;
  /** What it takes whole. */
  readonly neededTokens: number;
  /** Less than this it cannot take. 0 when it may be left out. */
  readonly minimumTokens: number;
  /** The largest of the messages that it cannot do without. Read only for errors. Default none. */
  readonly largestKept?: LargestMessage | undefined;
  /** The memories that belong here, best first. */
  readonly memories: readonly PlacedMemory[];
  /**
   * The section within a number of tokens.
   *
   * @param memories what may stand in it, the most important first
   */
  fit(maxTokens: number, memories: readonly PlacedMemory[]): FittedSection;
}

/** A section as it will stand in the context. */
export interface FittedSection {
  /** What it takes, in the dearer of its two forms. Never more than it was given. */
  readonly tokens: number;
  /** Tokens of its blocks in the text, with what separates them from the next. */
  readonly textTokens: number;
  /** What it leaves free for what will stand in it in the next contexts: no other section may have it. Default 0. */
  readonly aheadTokens?: number | undefined;
  /** True when nothing that belongs here is shortened or missing. */
  readonly isWhole: boolean;
  readonly blocks: readonly RenderedBlock[];
  /** What became of its texts, in their order. */
  readonly texts?: readonly FittedPart[] | undefined;
  /** Its memories, in their order: best first, and behind each those that continue it. */
  readonly kept: readonly PlacedMemory[];
  /** Those of its memories that stand behind one of the same source, and do not name it again. Default none. */
  readonly continued?: ReadonlySet<PlacedMemory> | undefined;
  /** Only for a conversation, which becomes turns among the chat messages. */
  readonly conversation?: FittedTurns | undefined;
}

/** What is shown of a conversation. */
export interface FittedTurns {
  /** Kept messages, oldest first, with the summary of the others before them. */
  readonly messages: readonly RenderedMessage[];
  readonly kept: KeptUnits;
  /** The summary among them. */
  readonly summary?: RenderedSummary | undefined;
}

/** One pair of tags and what is between them. */
export interface RenderedBlock {
  readonly name: string;
  readonly content: string;
  /** With its tags. */
  readonly text: string;
  /** Tokens of `text`. */
  readonly tokens: number;
  /** Tokens of the blank line behind it. Exact only where the parts of a context add up. */
  readonly separatorTokens: number;
  /** How much of `text` stands before anything recalled or said: all of it when there is nothing such. */
  readonly stableLength: number;
  readonly stableTokens: number;
  /** True when given text stands in it, or what stands whatever the query says. */
  readonly hasStableText: boolean;
}

/** What sections are made with. */
export interface SectionTools {
  readonly format: ContextFormat;
  readonly meter: TokenMeter;
}

/** Tokens of what closes a block, with the blank line behind it. */
export function closingTokens(heading: BlockHeading, { format, meter }: SectionTools): number {
  const closing = format.closing(heading);
  // Without a tag the last line break of the content is the first of the blank line.
  return meter.count(closing === "" ? blockSeparator.slice(1) : closing + blockSeparator);
}

export interface BlockParts {
  readonly heading: BlockHeading;
  readonly attributes?: Attributes;
  /** Lines that are the application's own. */
  readonly given: string;
  /** Tokens of the opening tag and the given lines. */
  readonly givenTokens: number;
  /** Lines that were recalled or said. */
  readonly recalled: string;
  readonly recalledTokens: number;
}

/** Puts a block together. Its parts all end with a line break, so that their counts add up where that is promised. */
export function renderBlock(parts: BlockParts, { format, meter }: SectionTools): RenderedBlock {
  const { heading, given, recalled } = parts;
  const closing = format.closing(heading);
  const beginning = format.openingLine(heading, parts.attributes) + given;
  const whole = beginning + recalled;
  const text = closing === "" ? whole.slice(0, -1) : whole + closing;
  const tokens = meter.partsAddUp
    ? parts.givenTokens + parts.recalledTokens + meter.count(closing)
    : meter.counter.count(text);
  const isStable = recalled === "";
  return {
    name: heading.name,
    content: (given + recalled).slice(0, -1),
    text,
    tokens,
    separatorTokens: closingTokens(heading, { format, meter }) - meter.count(closing),
    stableLength: isStable ? text.length : beginning.length,
    stableTokens: isStable ? tokens : parts.givenTokens,
    hasStableText: given !== "",
  };
}

/** A section that is not in the context. */
export function leftOut(isWhole: boolean): FittedSection {
  return { tokens: 0, textTokens: 0, isWhole, blocks: [], kept: [] };
}

/** True when all memories that belong to a section are among those it keeps. */
export function keepsItsOwn({ memories, section }: SectionDraft, kept: readonly PlacedMemory[]): boolean {
  return kept.filter(({ place }) => place === section.source).length === memories.length;
}
