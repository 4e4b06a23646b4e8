/** Values that stand for a secret without being one: in documentation, examples and settings read from elsewhere. */
const placeholder =
  /^[x*.•_-]{1,200}$|^(?:your|my|the|some|an?|new|old)?[_-]?(?:secret|password|passwd|pass|token|key|api[_-]?key|changeme|change[_-]me|example|placeholder|redacted|dummy|sample|test|todo|none|null|undefined|hunter2)[_-]?(?:here|key|value|token)?$|^[<[{%$]|\$\{|process\.env|os\.environ|getenv|example(?:key)?$|^(?:true|false)$/i;

/** Whether a value is a placeholder, such as `<your token>`, `********` or `process.env.KEY`. */
export function isPlaceholder(value: string): boolean {
  return value.length <= longestValue && placeholder.test(value);
}

const longestValue = 4_096;
const lower = 1;
const upper = 2;
const digit = 3;
const sign = 4;

/**
 * Whether a value is made of characters as no word is: letters with digits or signs among them, or upper case in the middle.
 * Words with a number behind them (`Postgres-17`) and names with dots or dashes (`svc-billing-eu`) are words.
 *
 * @param changes how often letters of both cases, digits and signs have to follow each other. Default: 3
 */
export function looksRandom(value: string, changes = 3): boolean {
  let found = 0;
  let digits = 0;
  let uppers = 0;
  let lowers = 0;
  let before = 0;
  let capitals = 0;
  for (let index = 0; index < value.length && index < longestValue; index++) {
    const kind = kindOf(value.charCodeAt(index));
    // A capital that begins a word is how words are written.
    if (before !== 0 && kind !== before && !(capitals === 1 && kind === lower)) found++;
    capitals = kind === upper ? capitals + 1 : 0;
    if (kind === digit) digits++;
    if (kind === upper) uppers++;
    if (kind === lower) lowers++;
    before = kind;
  }
  if (isPlaceholder(value) || wordAndVersion.test(value) || pathOrName.test(value)) return false;
  return found >= changes && (digits > 0 || (uppers > 1 && lowers > 0));
}

const wordAndVersion = /^[A-Za-z]{1,40}[-_ ]?v?\d{1,6}(?:\.\d{1,6}){0,4}$/;
const pathOrName = /^(?:[a-z]{1,40}|\d{1,8}[a-z]?)(?:[-_./:](?:[a-z]{1,40}|\d{1,8}[a-z]?)){1,20}$/;

function kindOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return digit;
  if (unit >= 0x41 && unit <= 0x5a) return upper;
  return (unit >= 0x61 && unit <= 0x7a) || unit > 0x7f ? lower : sign;
}

/** Whether a value has digits and letters, as made-up keys have. */
export function hasDigitsAndLetters(value: string): boolean {
  return /\d/.test(value) && /[A-Za-z]/.test(value);
}
