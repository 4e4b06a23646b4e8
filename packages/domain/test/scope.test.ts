import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  authorize,
  coveredScopes,
  formatScope,
  isScopePattern,
  LociError,
  parseFormattedScope,
  parseKeptScope,
  parseScope,
  parseScopes,
  permitsScope,
  type Principal,
  sameScope,
  type Scope,
  scopeDistance,
  scopeKinds,
  tenantId,
} from "../src/index.ts";

const anyScope: fc.Arbitrary<Scope> = fc.oneof(
  fc.constant<Scope>({ kind: "global" }),
  fc.record({
    kind: fc.constantFrom("session", "user", "agent", "team", "project"),
    id: fc.stringMatching(/^[a-z:/%_][a-z:/%_*]{0,5}$/),
  }) as fc.Arbitrary<Scope>,
);

test.each(["user:undefined", "project:null", "agent:None", "team:NaN", "session:[object Object]", "user:<nil>"])(
  "%s is what a template writes without an id; an object is taken at its word",
  (text) => {
    expect(() => parseScope(text)).toThrow(expect.objectContaining({ reason: "INVALID_IDENTIFIER", field: "scope" }));
    expect(() => parseScopes(["global", text])).toThrow(expect.objectContaining({ field: "scopes[1]" }));
    expect(isScopePattern(text)).toBe(false);
    const named = parseFormattedScope(text);
    expect(formatScope(named)).toBe(text);
    expect([parseScope(named), parseKeptScope(text)]).toEqual([named, named]);
  },
);

test("who is called much like nobody has a scope", () => {
  for (const id of ["Null", "nullable", "none", "undefined-1", "NONE"])
    expect(parseScope(`user:${id}`)).toEqual({ kind: "user", id });
});

const principal = (scopePatterns: readonly string[], roles: Principal["roles"] = ["read"]): Principal => ({
  tenant: tenantId("acme"),
  subject: "test",
  roles,
  scopePatterns,
});

describe("scopes", () => {
  test("text and value are the same thing", () => {
    fc.assert(
      fc.property(anyScope, anyScope, (left, right) => {
        expect(parseScope(formatScope(left))).toEqual(left);
        expect(formatScope(left) === formatScope(right)).toBe(sameScope(left, right));
      }),
    );
  });

  test("what patterns cover is what they permit", () => {
    const text = anyScope.map(formatScope);
    const pattern = fc.oneof(
      text,
      fc.constantFrom("*", "user:*", "team:*", "global", "global:*", "user:", "x:y", "user"),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(pattern, { maxLength: 4 }),
        fc.array(anyScope, { maxLength: 9 }),
        (patterns, others) => {
          const { kinds, scopes } = coveredScopes([...patterns, ...patterns]);
          const named = patterns
            .filter((one) => /^(?!global:|x:)[a-z]+:./u.test(one))
            .map((one) => parseKeptScope(one));
          for (const scope of [...others, ...named, ...scopes]) {
            const found = Number(kinds.includes(scope.kind)) + scopes.filter((one) => sameScope(one, scope)).length;
            expect(found).toBe(permitsScope(principal(patterns), scope) ? 1 : 0);
          }
        },
      ),
    );
  });

  test("everything after the first colon is the id", () => {
    expect(parseScope("user:a:b")).toEqual({ kind: "user", id: "a:b" });
  });

  test.each(["", "user", "user:", "admin:x", "Global", "global:x", "users:a", ":a"])("%j is refused", (text) => {
    expect(() => parseScope(text)).toThrow(LociError);
  });

  test("an id that means everybody in a key's patterns is nobody's", () => {
    for (const scope of ["user:*", "team:*", { kind: "user", id: "*" }] as const) {
      expect(() => parseScope(scope)).toThrow(expect.objectContaining({ reason: "INVALID_IDENTIFIER" }));
      expect(parseKeptScope(scope).id).toBe("*");
    }
    expect(parseScope("user:**").id).toBe("**");
  });

  test("no scope never means every scope", () => {
    for (const none of [[], undefined, null, "user:a"])
      expect(() => parseScopes(none as never)).toThrow(expect.objectContaining({ reason: "SCOPE_REQUIRED" }));
  });

  test("one scope where a list is due is called what it is, and a kind without an id is told how to write it", () => {
    const refusal = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (error) {
        return LociError.is(error) ? [error.reason, error.field, error.message, error.advice] : error;
      }
    };
    expect(refusal(() => parseScopes("user:ann" as never))).toEqual([
      "SCOPE_REQUIRED",
      "scopes",
      'scopes must be a list of scopes, but is "user:ann".',
      'Pass a list, also for one scope: scopes: ["user:ann"].',
    ]);
    expect(refusal(() => parseScopes({ kind: "global" } as never))).toContain(
      "scopes must be a list of scopes, but is an object.",
    );
    expect(refusal(() => parseScope("user"))).toEqual([
      "INVALID_IDENTIFIER",
      "scope.id",
      "scope names no user: its id is missing.",
      "Write user:ID, with the id that your application gives to the user.",
    ]);
    expect(refusal(() => parseScope("team:"))).toContain("scope names no team: its id is missing.");
  });

  test("a list of more than 1,000 is refused before it is read", () => {
    const scopes = Array.from({ length: 1_000 }, (_, number) => `user:u${number}`);
    expect(parseScopes(scopes)).toHaveLength(1_000);
    expect(() => parseScopes([...scopes, "global"])).toThrow(
      expect.objectContaining({ reason: "INVALID_SCOPE", field: "scopes" }),
    );
  });

  test("equal scopes count once, and a bad one is named by its place", () => {
    expect(parseScopes(["user:a", { kind: "user", id: "a" }, "global"])).toHaveLength(2);
    expect(() => parseScopes(["global", "planet:earth"])).toThrow(expect.objectContaining({ field: "scopes[1]" }));
  });

  test("kinds are ordered from near to far", () => {
    expect(scopeKinds.map((kind) => scopeDistance(parseScope(kind === "global" ? kind : `${kind}:x`)))).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
  });
});

describe("what a principal may touch", () => {
  test("a pattern covers one scope, all of a kind, or everything", () => {
    expect(permitsScope(principal(["user:alice"]), parseScope("user:alice"))).toBe(true);
    expect(permitsScope(principal(["user:alice"]), parseScope("user:alice2"))).toBe(false);
    expect(permitsScope(principal(["user:*"]), parseScope("user:anyone"))).toBe(true);
    expect(permitsScope(principal(["user:*"]), parseScope("team:anyone"))).toBe(false);
    expect(permitsScope(principal(["*"]), parseScope("global"))).toBe(true);
    expect(permitsScope(principal([]), parseScope("global"))).toBe(false);
  });

  test("a star inside an id is an ordinary character", () => {
    expect(permitsScope(principal(["user:a*"]), parseScope("user:abc"))).toBe(false);
    expect(permitsScope(principal(["user:a*"]), parseScope("user:a*"))).toBe(true);
  });

  test("a missing role and a foreign scope are told apart", () => {
    const alice = principal(["user:alice"]);
    expect(() => authorize(alice, "write", [])).toThrow(expect.objectContaining({ reason: "ROLE_REQUIRED" }));
    expect(() => authorize(alice, "read", [parseScope("user:bob")])).toThrow(
      expect.objectContaining({ reason: "SCOPE_NOT_PERMITTED", resource: "user:bob" }),
    );
    expect(() => authorize(principal(["*"], ["admin"]), "write", [parseScope("global")])).not.toThrow();
  });
});
