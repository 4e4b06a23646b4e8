import { isPlainObject } from "@loci/domain";

/** An own field of whatever a server has answered; `undefined` when it is no object or has none of that name. */
export function fieldOf(value: unknown, name: string): unknown {
  return isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
