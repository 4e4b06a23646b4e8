/**
 * Writes a split pattern of Hugging Face's library (Oniguruma) for JavaScript's `u` flag.
 *
 * Only what means the same in both is taken over. `\s` becomes `\p{White_Space}`, because JavaScript's has U+FEFF and
 * lacks U+0085; `(?i:…)` becomes classes of both cases, because Node 22 does not know it.
 *
 * @returns `undefined` for a pattern that says more than that, such as possessive quantifiers or nested classes
 */
export function translatePattern(source: string): string | undefined {
  const translation = new Translation(source);
  return translation.isUnderstood() ? translation.result : undefined;
}

const classByEscape: Readonly<Record<string, string>> = {
  s: String.raw`\p{White_Space}`,
  S: String.raw`\P{White_Space}`,
  d: String.raw`\p{Nd}`,
};
const syntaxCharacters = String.raw`^$\.*+?()[]{}|/`;
const groupStarts = ["(?:", "(?=", "(?!"];
const property = /[pP]\{[A-Za-z_=]+\}/y;
const repetition = /[*+?]|\{\d+(?:,\d*)?\}/y;
/** What else a letter is the same as when case does not matter. */
const otherCases: Readonly<Record<string, string>> = { s: "\u017f", k: "\u212a" };

class Translation {
  result = "";
  readonly #source: string;
  #at = 0;
  /** For each open group, whether case matters in it. */
  readonly #ignoresCase: boolean[] = [false];

  constructor(source: string) {
    this.#source = source;
  }

  isUnderstood(): boolean {
    while (this.#at < this.#source.length) if (!this.#takeNext()) return false;
    return this.#ignoresCase.length === 1;
  }

  #takeNext(): boolean {
    const character = this.#source.charAt(this.#at);
    if (character === "\\") return this.#takeEscape(false);
    if (character === "[") return this.#takeClass();
    if (character === "(") return this.#openGroup();
    if (character === ")") this.#ignoresCase.pop();
    // Line ends and `.` are other characters in each of the two.
    if ("^$.]}".includes(character)) return false;
    const repeated = this.#match(repetition);
    if (repeated !== undefined) {
      this.result += repeated;
      // `a*?` is the same in both, `a*+` is not.
      if (this.#source.charAt(this.#at) === "?") this.#take(1);
      return this.#source.charAt(this.#at) !== "+";
    }
    this.#takeLiteral();
    return true;
  }

  #takeLiteral(): void {
    const character = this.#source.charAt(this.#at++);
    const isLetter = /^[a-z]$/i.test(character);
    if (!isLetter || this.#ignoresCase.at(-1) !== true) this.result += character;
    else {
      const lower = character.toLowerCase();
      this.result += `[${lower}${lower.toUpperCase()}${otherCases[lower] ?? ""}]`;
    }
  }

  #takeEscape(inClass: boolean): boolean {
    this.#at++;
    const found = this.#match(property);
    if (found !== undefined) {
      this.result += `\\${found}`;
      return true;
    }
    const escaped = this.#source.charAt(this.#at++);
    const known = classByEscape[escaped];
    if (known !== undefined) this.result += known;
    else if ("rntfv".includes(escaped) || syntaxCharacters.includes(escaped) || (inClass && escaped === "-"))
      this.result += `\\${escaped}`;
    else if (/^[^A-Za-z0-9]$/.test(escaped)) this.result += escaped;
    else return false;
    return true;
  }

  #takeClass(): boolean {
    if (this.#ignoresCase.at(-1) === true) return false;
    this.#take(this.#source.startsWith("[^", this.#at) ? 2 : 1);
    while (this.#at < this.#source.length) {
      const character = this.#source.charAt(this.#at);
      if (character === "[" || this.#source.startsWith("&&", this.#at)) return false;
      if (character === "\\") {
        if (!this.#takeEscape(true)) return false;
      } else {
        this.#take(1);
        if (character === "]") return true;
      }
    }
    return false;
  }

  #openGroup(): boolean {
    const ignoresCase = this.#ignoresCase.at(-1) === true;
    if (this.#source.startsWith("(?i:", this.#at)) {
      this.#at += 4;
      this.result += "(?:";
      this.#ignoresCase.push(true);
      return true;
    }
    const known = groupStarts.find((start) => this.#source.startsWith(start, this.#at));
    if (known === undefined && this.#source.startsWith("(?", this.#at)) return false;
    this.#take(known?.length ?? 1);
    this.#ignoresCase.push(ignoresCase);
    return true;
  }

  #take(length: number): void {
    this.result += this.#source.slice(this.#at, this.#at + length);
    this.#at += length;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}
