/** Of which clients, guests or the like something is told: `client` and `ger` for `German clients`, `clients in Germany`. */
export interface ForWhom {
  readonly kind: string;
  /** The first letters of a name: those of a country are those of its people. `all` of them, or a `new` one. */
  readonly which: string;
}

const kinds = "(?<kind>client|customer|patient|student|guest|member|supplier|tenant)";
const several = new RegExp(
  String.raw`(?<!\p{L})(?:[Ff]or|[Ww]ith|[Oo]f) (?:(?<all>every|all|each|any|our|my|the(?: (?:user|team|family)['’]s)?) )?(?:(?<before>\p{Lu}\p{L}{2,20}) )?${kinds}s?(?: (?:in|from) (?<behind>\p{Lu}\p{L}{2,20}))?(?!\p{L})`,
  "u",
);
const newOne = new RegExp(String.raw`(?<!\p{L})an?(?:other)? (?:new )?${kinds}(?!\p{L})`, "u");
const lettersInCommon = 3;

/** For whom of several a text says that something is so, or whom it tells of besides. Linear in its length. */
export function forWhomIn(text: string): ForWhom | undefined {
  const { all, before, behind, kind } = several.exec(text)?.groups ?? {};
  const name = before ?? behind;
  if (kind !== undefined && name !== undefined) return { kind, which: name.slice(0, lettersInCommon).toLowerCase() };
  if (kind !== undefined && all !== undefined) return { kind, which: "all" };
  const one = newOne.exec(text)?.groups?.["kind"];
  return one === undefined ? undefined : { kind: one, which: "new" };
}

/** `0.16 for every client in Switzerland`, `0.15 for German clients`: of others. */
export function areForOthers(one: ForWhom | undefined, other: ForWhom | undefined): boolean {
  return one !== undefined && other !== undefined && one.kind === other.kind && one.which !== other.which;
}
