/** What a session keeps in place of a secret. */
const secretMark = /\[redacted: [a-z_]+\]/;

/** Whether a value is what was kept of another one: the same, but for secrets that were taken out of its texts. */
export function sameButForSecrets(kept: unknown, given: unknown): boolean {
  if (typeof kept === "string") return typeof given === "string" && (kept === given || isKeptOf(kept, given));
  if (Array.isArray(kept))
    return (
      Array.isArray(given) &&
      kept.length === given.length &&
      kept.every((each, index) => sameButForSecrets(each, given[index]))
    );
  if (typeof kept !== "object" || kept === null) return kept === given;
  if (typeof given !== "object" || given === null || Array.isArray(given)) return false;
  const [left, right] = [fieldsIn(kept), fieldsIn(given)];
  return (
    left.size === right.size &&
    [...left].every(([name, each]) => right.has(name) && sameButForSecrets(each, right.get(name)))
  );
}

/** What stands between the secrets that were taken out stands in the text, in the same order. */
function isKeptOf(kept: string, given: string): boolean {
  const [first = "", ...others] = kept.split(secretMark);
  const last = others.pop();
  if (last === undefined || !given.startsWith(first)) return false;
  let place = first.length;
  for (const between of others) {
    const found = given.indexOf(between, place);
    if (found === -1) return false;
    place = found + between.length;
  }
  return given.length - last.length >= place && given.endsWith(last);
}

/** JSON leaves out what is `undefined`. */
function fieldsIn(value: object): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(value).filter(([, each]) => each !== undefined));
}
