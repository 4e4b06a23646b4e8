import type { SectionSource } from "@loci/domain";
import type { KeptText } from "../assembly/kept-text.ts";
import type { Layout } from "./layout.ts";

/** A block as a context shows it, before it is escaped. */
export interface BlockInContext {
  readonly label: string;
  readonly version: number;
  readonly text: string;
  /** Whose it is: `agent:coach`. */
  readonly owner?: string | undefined;
  /** What its form begins with, see `KeptText`. */
  readonly opening?: string | undefined;
  /** What its user is doing, for a block that knows. */
  readonly currentTask?: string | undefined;
}

/** What Loci keeps that a context may show. */
export interface KeptSources {
  /** Of several with one label the first that says anything is shown. */
  readonly blocks: readonly BlockInContext[];
  /** In words. */
  readonly turnState?: string | undefined;
}

/** Whether the application gives a text for a source. */
export type IsGiven = (source: SectionSource) => boolean;

/** `block:LABEL`, `turnState`, or `currentTask`, which a block has. */
type Kept = string;

interface Filling {
  /** Whether it also stands behind what is given, or only where nothing is. */
  readonly place: "behindGiven" | "insteadOfGiven";
  /** The first of these of which there is anything. */
  readonly choices: readonly (readonly Kept[])[];
}

/** What sections are filled with besides what is given for them. Those of `block:LABEL` and `turnState` show just that. */
const fillings: ReadonlyMap<SectionSource, Filling> = new Map<SectionSource, Filling>([
  ["system", { place: "behindGiven", choices: [["block:persona"]] }],
  ["project", { place: "behindGiven", choices: [["block:human"]] }],
  ["task", { place: "insteadOfGiven", choices: [["turnState"], ["currentTask"]] }],
  ["coreMemory", { place: "insteadOfGiven", choices: [["block:core_memory"], ["block:persona", "block:human"]] }],
  ["file:IDENTITY.md", { place: "insteadOfGiven", choices: [["block:persona"]] }],
]);

/** Blocks that stay the same from call to call: whom they are about is the same in each of them. */
const stableLabels: ReadonlySet<string> = new Set(["persona", "core_memory"]);

/**
 * Puts what Loci keeps into the sections of a layout: each block and the turn state at most once, where a section asks for it
 * by name, else in the first one that has a place for it.
 */
export function fillSections({ sections }: Pick<Layout, "sections">, kept: KeptSources, isGiven: IsGiven): KeptText[] {
  const texts = new Map<Kept, Omit<KeptText, "source">>(
    kept.blocks
      .filter(saysAnything)
      .toReversed()
      .map(({ label, version, text, opening }) => {
        const id = `block:${label}@${version}`;
        return [`block:${label}`, { id, kind: "block", text, opening, isStable: stableLabels.has(label) }];
      }),
  );
  if (kept.turnState !== undefined)
    texts.set("turnState", { id: "turnState", kind: "turnState", text: kept.turnState, isStable: false });
  const doing = kept.blocks.find(({ currentTask = "" }) => currentTask.trim() !== "");
  if (doing !== undefined) {
    const { label, version, currentTask = "" } = doing;
    texts.set("currentTask", { id: `block:${label}@${version}`, kind: "block", text: currentTask, isStable: false });
  }
  if (texts.get("turnState")?.text.trim() === "") texts.delete("turnState");
  const filled: KeptText[] = [];
  const take = (source: SectionSource, names: readonly Kept[]): void => {
    for (const name of names) {
      const text = texts.get(name);
      if (text === undefined) continue;
      filled.push({ source, ...text });
      texts.delete(name);
    }
  };
  for (const { source } of sections) if (!fillings.has(source)) take(source, [source]);
  for (const { source } of sections) {
    const filling = fillings.get(source);
    if (filling === undefined || (filling.place === "insteadOfGiven" && isGiven(source))) continue;
    take(source, filling.choices.find((names) => names.some((name) => texts.has(name))) ?? []);
  }
  return filled;
}

/** Whether there is anything of a block to show. */
export function saysAnything({ text }: Pick<BlockInContext, "text">): boolean {
  return text.trim() !== "";
}

/** Which of what Loci keeps a layout can show at all. */
export function shownSources({ sections }: Pick<Layout, "sections">): {
  /** Labels; what a layout has no place for need not be read. */
  readonly blocks: ReadonlySet<string>;
  readonly turnState: boolean;
} {
  const names = sections.flatMap(({ source }) => fillings.get(source)?.choices.flat() ?? [source]);
  const labels = names.flatMap((name) => (name.startsWith("block:") ? [name.slice("block:".length)] : []));
  return {
    blocks: new Set(names.includes("currentTask") ? [...labels, "human"] : labels),
    turnState: names.includes("turnState"),
  };
}
