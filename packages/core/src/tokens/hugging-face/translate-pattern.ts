/**
 * Writes a split pattern of Hugging Face's library (Oniguruma) for JavaScript's `u` flag.
 *
 * Only what means the same in both is taken over. `\s` becomes `\p{White_Space}`, because JavaScript's has U+FEFF and
 * lacks U+0085; `(?i:…)` becomes classes of both cases, because Node 22 does not know it. What gives nothing back, as
 * `a++` and `(?>a+)`, becomes a look-ahead, which does not either, and a reference to what it has found.
 *
 * @returns `undefined` for a pattern that says more than that, such as look-behind or nested classes
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
const atomicGroupStart = "(?>";
const property = /[pP]\{[A-Za-z_=]+\}/y;
const repetition = /[*+?]|\{\d+(?:,\d*)?\}/y;
/** What else a letter is the same as when case does not matter. */
const otherCases: Readonly<Record<string, string>> = { s: "\u017f", k: "\u212a" };

/** A group that is not closed yet. */
interface OpenGroup {
  readonly ignoresCase: boolean;
  /** Where it begins in the result. */
  readonly start: number;
  /** What closes it. */
  readonly closing: string;
}

class Translation {
  result = "";
  readonly #source: string;
  #at = 0;
  /** The last is the innermost; the first is the whole pattern. */
  readonly #groups: OpenGroup[] = [{ ignoresCase: false, start: 0, closing: "" }];
  /** Where what a quantifier would repeat begins in the result. */
  #atomStart = 0;
  #atomicGroups = 0;

  constructor(source: string) {
    this.#source = source;
  }

  isUnderstood(): boolean {
    while (this.#at < this.#source.length) if (!this.#takeNext()) return false;
    return this.#groups.length === 1;
  }

  #takeNext(): boolean {
    const character = this.#source.charAt(this.#at);
    if (character === "(") return this.#openGroup();
    if (character === ")") return this.#closeGroup();
    // Line ends and `.` are other characters in each of the two.
    if ("^$.]}".includes(character)) return false;
    const repeated = this.#match(repetition);
    if (repeated !== undefined) return this.#repeat(repeated);
    this.#atomStart = this.result.length;
    if (character === "\\") return this.#takeEscape(false);
    if (character === "[") return this.#takeClass();
    this.#takeLiteral();
    return true;
  }

  #repeat(repeated: string): boolean {
    this.result += repeated;
    const next = this.#source.charAt(this.#at);
    // `a*?` is the same in both.
    if (next === "?") this.#take(1);
    if (next !== "+") return this.#source.charAt(this.#at) !== "+";
    // Behind braces it is one more repetition, which JavaScript does not take.
    if (repeated.startsWith("{")) return false;
    this.#at++;
    const name = this.#nameGroup();
    this.result = `${this.result.slice(0, this.#atomStart)}(?=(?<${name}>${this.result.slice(this.#atomStart)}))\\k<${name}>`;
    return true;
  }

  #nameGroup(): string {
    this.#atomicGroups++;
    return `atomic${this.#atomicGroups}`;
  }

  #takeLiteral(): void {
    const character = this.#source.charAt(this.#at++);
    const isLetter = /^[a-z]$/i.test(character);
    if (!isLetter || this.#groups.at(-1)?.ignoresCase !== true) this.result += character;
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
    if (this.#groups.at(-1)?.ignoresCase === true) return false;
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
    const start = this.result.length;
    const ignoresCase = this.#groups.at(-1)?.ignoresCase === true;
    if (this.#source.startsWith("(?i:", this.#at)) {
      this.#at += 4;
      this.result += "(?:";
      this.#groups.push({ ignoresCase: true, start, closing: ")" });
      return true;
    }
    if (this.#source.startsWith(atomicGroupStart, this.#at)) {
      this.#at += atomicGroupStart.length;
      const name = this.#nameGroup();
      this.result += `(?=(?<${name}>`;
      this.#groups.push({ ignoresCase, start, closing: `))\\k<${name}>` });
      return true;
    }
    const known = groupStarts.find((one) => this.#source.startsWith(one, this.#at));
    if (known === undefined && this.#source.startsWith("(?", this.#at)) return false;
    this.#at += known?.length ?? 1;
    // Nothing refers to what a group has found.
    this.result += known ?? "(?:";
    this.#groups.push({ ignoresCase, start, closing: ")" });
    return true;
  }

  #closeGroup(): boolean {
    const group = this.#groups.pop();
    if (group === undefined || this.#groups.length === 0) return false;
    this.#at++;
    this.result += group.closing;
    // Repeated, an atomic group is more than its reference.
    if (group.closing !== ")")
      this.result = `${this.result.slice(0, group.start)}(?:${this.result.slice(group.start)})`;
    this.#atomStart = group.start;
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
