import type { ItemReceipt, SectionSource } from "@loci/domain";
import type { Layout } from "../layout/layout.ts";
import type { ContextFormat } from "../rendering/context-format.ts";
import type { AssemblyInput } from "./assembly-input.ts";
import type { KeptText } from "./kept-text.ts";
import { daysText, givenTextOf } from "./given-text.ts";

/** A text on its way into a section: the application's, one of a block, a turn state. */
export interface TextPart {
  /** In the receipt. */
  readonly id: string;
  readonly kind: ItemReceipt["kind"];
  /** As it will be written: escaped, unless the application has given it. May be empty. */
  readonly text: string;
}

/** What became of a text. */
export interface FittedPart extends Pick<TextPart, "id" | "kind"> {
  readonly outcome: "kept" | "shortened" | "dropped";
  readonly tokens: number;
}

/** The texts of one section, in their order. */
export interface SectionTexts {
  /** What stays the same from call to call. */
  readonly stable: readonly TextPart[];
  /** What was said or written down, and changes. Stands behind the others. */
  readonly changing: readonly TextPart[];
}

type Texts = Pick<AssemblyInput, "system" | "project" | "task" | "coreMemory" | "files" | "kept">;

/** What a section that holds text is filled with: what the application gives first, then what Loci keeps. */
export function sectionTexts(
  input: Texts,
  { name, source }: { readonly name: string; readonly source: SectionSource },
  { layout, format }: { readonly layout: Pick<Layout, "sections">; readonly format: ContextFormat },
): SectionTexts {
  const own = { id: `text:${name}`, kind: "text" } as const;
  if (source === "days") {
    const text = daysText(input, format);
    return { stable: [], changing: text === undefined ? [] : [{ ...own, text }] };
  }
  const given = givenTextOf(input, source, layout);
  const kept = (input.kept ?? []).filter((text) => text.source === source && text.text.trim() !== "");
  const partOf = ({ id, kind, text, opening = "" }: KeptText): TextPart => {
    const shown = text.trim();
    const own = opening !== "" && shown.startsWith(opening) ? opening : "";
    return { id, kind, text: own + format.escapeText(shown.slice(own.length), own === "" ? "line" : "inline") };
  };
  return {
    stable: [
      ...(given === undefined ? [] : [{ ...own, text: given }]),
      ...kept.filter(({ isStable }) => isStable).map(partOf),
    ],
    changing: kept.filter(({ isStable }) => !isStable).map(partOf),
  };
}

/** Of a text as it is given, longer than all that may stand unseen before what is seen first. In UTF-16 units. */
const beginning = 2_000;

const joining = /^[/\p{White_Space}]/u;

/**
 * Whether a text that stands behind others of its section begins, as it is written, with a slash or with white space that is not
 * trimmed (U+0085). Tokenizers such as `o200k_base` take these together with the end of the line before: the two have to be
 * counted together.
 */
export function joinsLineBefore(input: Pick<AssemblyInput, "kept" | "files">, format: ContextFormat): boolean {
  const isJoining = (text: string): boolean => joining.test(format.escapeText(text.trim().slice(0, beginning), "line"));
  return (
    (input.kept ?? []).some(({ text, isStable }) => !isStable && isJoining(text)) ||
    (input.files?.days ?? []).some(({ text }) => isJoining(text))
  );
}
