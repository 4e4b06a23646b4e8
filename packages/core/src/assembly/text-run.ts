import type { LayoutSection } from "../layout/layout.ts";
import { shortenAtCharacter } from "../shortening/characters.ts";
import { shortenAtSentence } from "../shortening/sentences.ts";
import type { ShortenedText, TextRoom } from "../shortening/shorten-text.ts";
import { withoutCutHeading } from "./given-text.ts";
import type { SectionTools } from "./section-draft.ts";
import type { FittedPart, TextPart } from "./section-texts.ts";

export interface TextRunOptions {
  readonly section: LayoutSection;
  readonly parts: readonly TextPart[];
  /** The line that is counted together with the text: it may begin with white space. Empty when it follows other lines. */
  readonly openingLine: string;
  /** Behind the text. */
  readonly lineEnd: "\n" | "\n\n";
  readonly tools: SectionTools;
}

/** A run as it will stand in the context. */
export interface FittedRun {
  /** Without the opening line. Empty when nothing is left. */
  readonly lines: string;
  /** With the opening line. */
  readonly tokens: number;
  readonly isWhole: boolean;
  readonly parts: readonly FittedPart[];
}

/** What stands between two texts: a blank line. */
const separator = "\n\n";

/** Texts of a section that stand behind each other, and are cut from their end. */
export class TextRun {
  readonly parts: readonly TextPart[];
  /** Of everything, with the opening line. */
  readonly wholeTokens: number;
  readonly #options: TextRunOptions;
  readonly #text: string | undefined;
  #shortened: ShortenedText | undefined;

  constructor(options: TextRunOptions) {
    this.#options = options;
    this.parts = options.parts;
    const shown = options.parts.filter(({ text }) => text.trim() !== "");
    this.#text = shown.length === 0 ? undefined : shown.map(({ text }) => text).join(separator);
    this.wholeTokens = this.#count(this.#text);
  }

  get isEmpty(): boolean {
    return this.#text === undefined;
  }

  /** What one of several parts takes by itself; the only one takes what the run does. 0 for one that is empty. */
  wholeTokensOf(part: TextPart): number {
    if (part.text.trim() === "") return 0;
    return this.parts.length === 1 ? this.wholeTokens : this.#partTokens(part.text);
  }

  whole(): FittedRun {
    return this.#fitted(this.#text, this.wholeTokens);
  }

  /** Without any of it. */
  dropped(): FittedRun {
    return this.#fitted(undefined, this.#count(undefined));
  }

  fit(maxTokens: number): FittedRun {
    if (this.wholeTokens <= maxTokens || this.#text === undefined) return this.whole();
    const known = this.#shortened;
    if (known !== undefined && known.tokens <= maxTokens && maxTokens < known.nextTokens)
      return this.#fitted(known.text, known.tokens);
    const { tools } = this.#options;
    this.#shortened = this.#shorten(this.#text, {
      counter: tools.meter.counter,
      maxTokens,
      wholeTokens: this.wholeTokens,
      tokensOf: (text) => this.#count(text),
    });
    return this.#shortened === undefined ? this.dropped() : this.#fitted(this.#shortened.text, this.#shortened.tokens);
  }

  #shorten(text: string, room: TextRoom): ShortenedText | undefined {
    const { shortening, source } = this.#options.section;
    switch (shortening) {
      case "characters": {
        const shortened = shortenAtCharacter(text, room);
        return source === "days" && shortened !== undefined ? withoutCutHeading(shortened, room) : shortened;
      }
      case "sentences":
        return shortenAtSentence(text, room);
      default:
        return { text, tokens: room.wholeTokens, nextTokens: Infinity };
    }
  }

  #fitted(text: string | undefined, tokens: number): FittedRun {
    return { lines: this.#lines(text), tokens, isWhole: text === this.#text, parts: this.#fittedParts(text, tokens) };
  }

  /** Which texts a cut has left: it keeps a beginning, and may put a mark behind it. */
  #fittedParts(text: string | undefined, tokens: number): readonly FittedPart[] {
    const isWhole = text === this.#text;
    const kept = isWhole ? Infinity : commonLength(text ?? "", this.#text ?? "");
    let start = 0;
    return this.parts.map(({ id, kind, text: own }): FittedPart => {
      if (own.trim() === "") return { id, kind, outcome: "dropped", tokens: 0 };
      const end = start + own.length;
      const left = kept - start;
      const outcome = kept >= end ? "kept" : left > 0 ? "shortened" : "dropped";
      start = end + separator.length;
      if (outcome === "dropped") return { id, kind, outcome, tokens: 0 };
      if (this.parts.length === 1) return { id, kind, outcome, tokens };
      return { id, kind, outcome, tokens: this.#partTokens(outcome === "kept" ? own : own.slice(0, left)) };
    });
  }

  #partTokens(text: string): number {
    return this.#options.tools.meter.count(`${text}\n`);
  }

  #count(text: string | undefined): number {
    const { tools, openingLine } = this.#options;
    return tools.meter.count(openingLine + this.#lines(text));
  }

  #lines(text: string | undefined): string {
    const { tools, lineEnd } = this.#options;
    return text === undefined ? "" : tools.format.completeText(text) + lineEnd;
  }
}

function commonLength(left: string, right: string): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left[length] === right[length]) length++;
  return length;
}
