import { confusables } from "./confusables.ts";

/** A text as detection reads it, with the place of each of its units in the original. */
export interface FoldedText {
  readonly text: string;
  readonly lower: string;
  /** Offset in the original where what a unit stands for begins, */
  readonly starts: Uint32Array;
  /** and where it ends, exclusive. */
  readonly ends: Uint32Array;
}

const ignorable = /^[\p{Default_Ignorable_Code_Point}]$/u;
const joining = /^[\s\-\u2010-\u2015\u2212]$/u;
const joinings = /[\s\-\u2010-\u2015\u2212]/g;
const beyondAscii = /[^\0-\x7f]/;

/**
 * Makes what looks alike equal, so that a secret is found however it is dressed: compatibility forms (NFKC, character by
 * character), letters of other scripts that look like Latin ones, nothing that cannot be seen. Linear in the length.
 */
export function foldedText(original: string): FoldedText {
  return beyondAscii.test(original)
    ? placedText(unitsOf(original))
    : new LazilyPlacedText(original, () => placesOf(original));
}

/** A folded text without white space and hyphens: what was pulled apart stands together again. */
export function squeezedText(folded: FoldedText): FoldedText {
  return new LazilyPlacedText(folded.text.replaceAll(joinings, ""), () => squeezedPlaces(folded));
}

/** Where each unit stands. */
type Places = Pick<FoldedText, "starts" | "ends">;

/** Few texts hold anything: only then it is asked where. */
class LazilyPlacedText implements FoldedText {
  readonly text: string;
  readonly lower: string;
  readonly #find: () => Places;
  #places: Places | undefined;

  constructor(text: string, find: () => Places) {
    this.text = text;
    this.lower = text.toLowerCase();
    this.#find = find;
  }

  get starts(): Uint32Array {
    return (this.#places ??= this.#find()).starts;
  }

  get ends(): Uint32Array {
    return (this.#places ??= this.#find()).ends;
  }
}

function placesOf({ length }: string): Places {
  return {
    starts: Uint32Array.from({ length }, (_, index) => index),
    ends: Uint32Array.from({ length }, (_, index) => index + 1),
  };
}

function squeezedPlaces({ text, starts, ends }: FoldedText): Places {
  const kept = Array.from({ length: text.length }, (_, index) => index).filter(
    (index) => !joining.test(text.charAt(index)),
  );
  return {
    starts: Uint32Array.from(kept, (index) => starts[index] as number),
    ends: Uint32Array.from(kept, (index) => ends[index] as number),
  };
}

function placedText({ text, ...places }: { readonly text: string } & Places): FoldedText {
  return { text, lower: text.toLowerCase(), ...places };
}

function unitsOf(original: string): { readonly text: string } & Places {
  const units = new UnitList(original.length);
  for (let index = 0; index < original.length;) {
    const code = original.codePointAt(index) as number;
    const end = index + (code > 0xffff ? 2 : 1);
    if (code < 0x80) units.add(original.charAt(index), index, end);
    else {
      const character = original.slice(index, end);
      if (!ignorable.test(character))
        for (const folded of character.normalize("NFKC")) units.add(confusables.get(folded) ?? folded, index, end);
    }
    index = end;
  }
  return units.taken();
}

class UnitList {
  readonly #parts: string[] = [];
  #starts: Uint32Array;
  #ends: Uint32Array;
  #length = 0;

  constructor(length: number) {
    this.#starts = new Uint32Array(length);
    this.#ends = new Uint32Array(length);
  }

  add(units: string, start: number, end: number): void {
    this.#parts.push(units);
    for (let index = 0; index < units.length; index++) {
      if (this.#length === this.#starts.length) this.#grow();
      this.#starts[this.#length] = start;
      this.#ends[this.#length++] = end;
    }
  }

  taken(): { readonly text: string } & Places {
    const taken = (places: Uint32Array): Uint32Array => places.subarray(0, this.#length);
    return { text: this.#parts.join(""), starts: taken(this.#starts), ends: taken(this.#ends) };
  }

  /** A single character may fold to as many as 18. */
  #grow(): void {
    const grown = (places: Uint32Array): Uint32Array => {
      const larger = new Uint32Array(2 * places.length + 18);
      larger.set(places);
      return larger;
    };
    this.#starts = grown(this.#starts);
    this.#ends = grown(this.#ends);
  }
}
