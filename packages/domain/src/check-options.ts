import { LociError } from "./error.ts";
import { nearestName } from "./nearest-name.ts";
import { shownText, shownValue } from "./shown-value.ts";

/**
 * Checks that the options of what opens or connects are known: one that was passed over would leave the caller with another
 * directory, or another server, than the one that was meant.
 *
 * @param taker what takes them, such as `openLoci`
 * @throws LociError `INVALID_CONFIGURATION`, with the option, and the known one that is most like it
 */
export function checkOptions(options: unknown, known: ReadonlySet<string>, taker: string): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new LociError("INVALID_CONFIGURATION", {
      message: `${taker} takes an object with options, but got ${shownValue(options)}.`,
      advice: `Its options: ${[...known].join(", ")}.`,
    });
  const unknown = Object.keys(options).find((name) => !known.has(name));
  if (unknown !== undefined) throw unknownChoice(`${taker} has no option`, unknown, { known, field: unknown });
}

/**
 * Checks a value that stands for one of a few.
 *
 * @param field the option that it is the value of
 * @throws LociError `INVALID_CONFIGURATION`, with the value, and the known one that is most like it
 */
export function checkOptionValue<Value extends string>(value: unknown, known: Iterable<Value>, field: string): Value {
  const values = [...known];
  const found = values.find((each) => each === value);
  if (found !== undefined) return found;
  if (typeof value === "string") throw unknownChoice(`${field} cannot be`, value, { known: values, field });
  throw new LociError("INVALID_CONFIGURATION", {
    message: `${field} cannot be ${shownValue(value)}.`,
    field,
    advice: `Use one of ${values.join(", ")}.`,
  });
}

function unknownChoice(
  problem: string,
  given: string,
  { known, field }: { readonly known: Iterable<string>; readonly field: string },
): LociError {
  const names = [...known];
  const nearest = nearestName(given, names);
  return new LociError("INVALID_CONFIGURATION", {
    message: `${problem} ${shownText(given)}.${nearest === undefined ? "" : ` Did you mean ${nearest}?`}`,
    field: field.slice(0, 80),
    advice: `Use one of ${names.join(", ")}.`,
  });
}
