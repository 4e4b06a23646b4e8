import type { MemoryRecord } from "@loci/domain";
import type { TextAnalyser } from "../text/text-analyser.ts";
import { type StatedSubject, statedSubject } from "./stated-subject.ts";
import { changeWords, isPassing, tellsOfChange } from "./told-change.ts";

/** Whether an embedder's vectors tell what a text means. */
export type Understands = (text: string) => boolean;

/** What the text of a short fact tells beside its words. Found out when it is asked for, once. */
export class ToldSigns {
  readonly #text: string;
  readonly #analyser: TextAnalyser;
  #read: readonly string[] | undefined;
  #tellsOfChange: boolean | undefined;
  #isPassing: boolean | undefined;
  #aboutWords: ReadonlySet<string> | undefined;
  #subject: { readonly of: StatedSubject | undefined } | undefined;
  #understood: { readonly by: Understands; readonly isUnderstood: boolean } | undefined;

  constructor(text: string, analyser: TextAnalyser) {
    this.#text = text;
    this.#analyser = analyser;
  }

  get tellsOfChange(): boolean {
    return (this.#tellsOfChange ??= tellsOfChange(this.#words));
  }

  get isPassing(): boolean {
    return (this.#isPassing ??= isPassing(this.#words));
  }

  /** The words that say what it is about, as they are found by. A number, a date or a time of day does not. */
  get aboutWords(): ReadonlySet<string> {
    return (this.#aboutWords ??= new Set(
      this.#analyser.terms(this.#text).filter((term) => letter.test(term) && !saysLittle.has(term)),
    ));
  }

  /** Of whom or what it speaks. `undefined`: of the speaker, or nothing that is known. */
  get subject(): StatedSubject | undefined {
    return (this.#subject ??= { of: statedSubject(this.#text) }).of;
  }

  /** Whether vectors tell what it means, as their embedder says. */
  isUnderstood(by: Understands): boolean {
    if (this.#understood?.by !== by) this.#understood = { by, isUnderstood: by(this.#text) };
    return this.#understood.isUnderstood;
  }

  get #words(): readonly string[] {
    return (this.#read ??= changeWords(this.#text));
  }
}

const letter = /\p{L}/u;
/** Stems of verbs that go with anything. */
const saysLittle: ReadonlySet<string> = new Set("get go keep like make need prefer take use want".split(" "));

/** By memory, for as long as somebody keeps it: many candidates of one recall are those of the next one. */
const known = new WeakMap<TextAnalyser, WeakMap<MemoryRecord, ToldSigns>>();

/** @param memory never changed afterwards */
export function toldSigns(memory: MemoryRecord, analyser: TextAnalyser): ToldSigns {
  let ofAnalyser = known.get(analyser);
  if (ofAnalyser === undefined) known.set(analyser, (ofAnalyser = new WeakMap<MemoryRecord, ToldSigns>()));
  let signs = ofAnalyser.get(memory);
  if (signs === undefined) ofAnalyser.set(memory, (signs = new ToldSigns(memory.text, analyser)));
  return signs;
}
