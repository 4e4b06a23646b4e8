import { LociError } from "@loci/domain";

/** A value in two parts: what JSON writes as it is, and the texts that JSON would write in another way. */
export interface TakenApart {
  /** The value, with an empty text wherever one was taken out. */
  readonly frame: unknown;
  readonly texts: readonly string[];
  /** Where each of the texts stood, as the keys that lead there. */
  readonly places: readonly (readonly (string | number)[])[];
}

/**
 * Takes out of a value all long texts, and those with line breaks, quotes and the like. What looks for secrets in a turn then reads them as they
 * are, and so does a person.
 *
 * @param path what the value is called in an error, such as `items[2]`
 * @throws LociError `INVALID_REQUEST` for what JSON does not know, such as bytes
 */
export function takeTextsOut(value: unknown, path: string): TakenApart {
  const texts: string[] = [];
  const places: (readonly (string | number)[])[] = [];
  const frameOf = (part: unknown, place: readonly (string | number)[]): unknown => {
    if (typeof part === "string") {
      if (isWrittenAsIs(part)) return part;
      texts.push(part);
      places.push(place);
      return "";
    }
    if (part === null || typeof part === "boolean" || (typeof part === "number" && Number.isFinite(part))) return part;
    if (Array.isArray(part)) return part.map((each, index) => frameOf(each, [...place, index]));
    if (!isRecord(part)) throw notJson(part, [path, ...place].join("."));
    const entries = Object.entries(part).filter(([, each]) => each !== undefined);
    return Object.fromEntries(entries.map(([key, each]) => [key, frameOf(each, [...place, key])]));
  };
  return { frame: frameOf(value, []), texts, places };
}

/** The value that was taken apart. */
export function putTextsBack({ frame, texts, places }: TakenApart): unknown {
  let whole = frame;
  for (const [index, place] of places.entries()) {
    const text = texts[index] ?? "";
    const key = place.at(-1);
    if (key === undefined) whole = text;
    else {
      const holder = place.slice(0, -1).reduce<unknown>((part, step) => ownValue(part, step), whole);
      if (typeof holder === "object" && holder !== null && Object.hasOwn(holder, key))
        Object.defineProperty(holder, key, { value: text });
    }
  }
  return whole;
}

/** Longer ones may be images, which are broken up where texts are joined. In UTF-16 units. */
const longestInFrame = 500;

function isWrittenAsIs(text: string): boolean {
  return text.length <= longestInFrame && JSON.stringify(text).length === text.length + 2;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function ownValue(part: unknown, key: string | number): unknown {
  return typeof part === "object" && part !== null && Object.hasOwn(part, key)
    ? (part as Readonly<Record<string | number, unknown>>)[key]
    : undefined;
}

function notJson(value: unknown, path: string): LociError {
  const kind = typeof value === "object" && value !== null ? value.constructor.name : typeof value;
  return new LociError("INVALID_REQUEST", {
    message: `${path} is of the kind ${kind}, which JSON cannot hold. Nothing was kept.`,
    field: path,
    advice: "Pass items of plain objects, lists, texts and numbers; bytes as a data URL.",
  });
}
