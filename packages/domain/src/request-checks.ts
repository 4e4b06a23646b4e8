import { checkFields } from "./check-fields.ts";

/** What makes of a field's value, as it was given, what it means. @throws LociError naming `path` */
type Check<Value> = (value: Value, path: string) => unknown;

/** What checks each field of a request. */
export type ChecksOf<Request> = { readonly [Name in keyof Request]-?: Check<Request[Name]> };

/** What is known of a request that was checked. What is `undefined` is not there. */
export type CheckedRequest<Request, Checks> = {
  readonly [Name in keyof Checks]: Checks[Name] extends typeof asGiven
    ? Request[Name & keyof Request]
    : Checks[Name] extends (...values: never[]) => infer Result
      ? Result
      : never;
};

/** The check of a request, or of a part of one. */
export interface RequestCheck<Request, Checks> {
  /**
   * @param path where the part stood in the request, such as `turns[3]`. Left out: it is the request, whose fields are called
   *   by their names
   * @throws LociError `INVALID_REQUEST` for what is no plain object and for unknown fields; else what the checks throw
   */
  (request: Request, path?: string): CheckedRequest<Request, Checks>;
  /** The names of the fields. */
  readonly names: ReadonlySet<string>;
}

/**
 * Makes the check of a request: every field is named once, with what checks it, in the order of the checks. The compiler refuses
 * one that is missing or one too many, and the check refuses unknown fields.
 *
 * `const check = checksOf<ListRequest>()("request", { scopes: parseScopes, pageSize: optional(checkPageSize) });`
 */
export function checksOf<Request extends object>(): <Checks extends ChecksOf<Request>>(
  called: string,
  checks: Checks,
) => RequestCheck<Request, Checks> {
  return <Checks extends ChecksOf<Request>>(called: string, checks: Checks) => {
    const names = new Set(Object.keys(checks));
    const entries = Object.entries<Check<never>>(checks);
    const check = (request: Request, path?: string): CheckedRequest<Request, Checks> => {
      checkFields(request, names, path ?? called);
      const prefix = path === undefined ? "" : `${path}.`;
      const given = request as Readonly<Record<string, never>>;
      const checked: Record<string, unknown> = {};
      for (const [name, checkValue] of entries) {
        const value = checkValue(given[name] as never, prefix + name);
        if (value !== undefined) checked[name] = value;
      }
      return checked as CheckedRequest<Request, Checks>;
    };
    return Object.assign(check, { names });
  };
}

/** The same check for a field that may be left out: `undefined` stays. */
export function optional<Value, Result>(
  check: (value: Value, path: string) => Result,
): (value: Value | undefined, path: string) => Result | undefined {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

/** For a field that is checked by the rules that use it, or with what only they know. */
export function asGiven<Value>(value: Value): Value {
  return value;
}
