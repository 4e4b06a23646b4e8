/** Of which clients, guests or the like something is told: `client` and `ger` for `German clients`, `clients in Germany`. */
export interface ForWhom {
  readonly kind: string;
  /** The first letters of a name: those of a country are those of its people. */
  readonly which: string;
}

const named =
  /(?<!\p{L})(?:[Ff]or|[Ww]ith|of) (?:(?:every|all|each|any|our|my|the) )?(?:(?<before>\p{Lu}\p{L}{2,20}) )?(?<kind>client|customer|patient|student|guest|member|supplier|tenant)s?(?: (?:in|from) (?<behind>\p{Lu}\p{L}{2,20}))?(?!\p{L})/u;
const lettersInCommon = 3;

/** For whom a text says that something is so, where it names them. Linear in its length. */
export function forWhomIn(text: string): ForWhom | undefined {
  const { before, behind, kind } = named.exec(text)?.groups ?? {};
  const name = before ?? behind;
  return name === undefined || kind === undefined
    ? undefined
    : { kind, which: name.slice(0, lettersInCommon).toLowerCase() };
}

/** `0.16 for every client in Switzerland`, `0.15 for German clients`: of others. */
export function areForOthers(one: ForWhom | undefined, other: ForWhom | undefined): boolean {
  return one !== undefined && other !== undefined && one.kind === other.kind && one.which !== other.which;
}
