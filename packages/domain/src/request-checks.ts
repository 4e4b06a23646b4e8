import { checkFields } from "./check-fields.ts";

/** What makes of a field's value, as it was given, what it means. @throws LociError naming `path` */
type Check<Value> = (value: Value, path: string) => unknown;

type ChecksOf<Request> = { readonly [Name in keyof Request]-?: Check<Request[Name]> };

/** What is known of a request that was checked. */
export type CheckedRequest<Checks> = {
  readonly [Name in keyof Checks]: Checks[Name] extends (...values: never[]) => infer Result ? Result : never;
};

/**
 * Makes the check of a request: every field is named once, with what checks it, in the order of the checks. The compiler refuses
 * one that is missing or one too many, and the check refuses unknown fields.
 *
 * `const check = checksOf<ListRequest>()("request", { scopes: parseScopes, pageSize: optional(checkPageSize) });`
 */
export function checksOf<Request extends object>(): <Checks extends ChecksOf<Request>>(
  path: string,
  checks: Checks,
) => (request: Request) => CheckedRequest<Checks> {
  return (path, checks) => {
    const known = new Set(Object.keys(checks));
    const entries = Object.entries<Check<never>>(checks);
    return (request) => {
      checkFields(request, known, path);
      const given = request as Readonly<Record<string, never>>;
      return Object.fromEntries(
        entries.map(([name, check]) => [name, check(given[name] as never, name)]),
      ) as CheckedRequest<typeof checks>;
    };
  };
}

/** The same check for a field that may be left out: `undefined` stays. */
export function optional<Value, Result>(
  check: (value: Value, path: string) => Result,
): (value: Value | undefined, path: string) => Result | undefined {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}
