import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createHmac, sign } from "node:crypto";
import { LociError } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  delegatedToken,
  type DelegatedTokenOptions,
  isSignedBy,
  publicKeyOf,
  readDelegatedToken,
} from "../src/index.ts";
import { signingKeyOf, tokenKeyOf } from "../src/tokens/token-key.ts";

interface Vectors {
  readonly tokenKeys: Readonly<Record<string, string>>;
  readonly cases: readonly { readonly name: string; readonly in: DelegatedTokenOptions; readonly out: string }[];
  readonly refused: readonly { readonly name: string; readonly in: DelegatedTokenOptions; readonly field: string }[];
}

// The same file is what the Python and Go clients are tested with.
const file = join(import.meta.dirname, "golden/delegated-tokens.json");
const { cases, refused, tokenKeys } = JSON.parse(readFileSync(file, "utf8")) as Vectors;
const { in: options, out: token } = cases[0]!;
const publicKey = publicKeyOf(tokenKeys[options.apiKey]!);

const isGenuine = (text: string): boolean => {
  const read = readDelegatedToken(text);
  return read !== undefined && isSignedBy(publicKey, read.signedText, read.signature);
};
/** A token of the key that says whatever it is told. */
const signed = (header: unknown, claims: unknown): string => {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  return `${text}.${sign(null, Buffer.from(text), signingKeyOf(options.apiKey)).toString("base64url")}`;
};
const header = { alg: "EdDSA", typ: "loci-token+jwt", kid: "agents" };
const claims = { iat: 1, exp: 2, scopes: ["user:ann"], roles: ["read"] };

test.each(cases)("$name: the bytes of every language", ({ in: input, out }) => {
  expect(delegatedToken(input)).toBe(out);
  const read = readDelegatedToken(out)!;
  expect(isSignedBy(publicKeyOf(tokenKeys[input.apiKey]!), read.signedText, read.signature)).toBe(true);
  const issuedAt = Math.floor(input.now! / 1_000);
  const { scopes, roles, expiresInSeconds } = input;
  expect(read.claims).toEqual({ issuedAt, expiresAt: issuedAt + expiresInSeconds, scopes, roles });
});

test("the key that verifies is not the one that signs, nor can it be made without the API key", () => {
  for (const [apiKey, tokenKey] of Object.entries(tokenKeys)) {
    expect(tokenKeyOf(apiKey)).toBe(tokenKey);
    expect(JSON.stringify(signingKeyOf(apiKey).export({ format: "jwk" }))).toContain(tokenKey.slice("ed25519:".length));
    expect(token).not.toContain(apiKey.slice(-43));
  }
});

test.each(refused)("$name is refused, and the key not repeated", ({ in: input, field }) => {
  let error: unknown;
  try {
    delegatedToken(input);
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(LociError);
  expect(error).toMatchObject({ reason: "INVALID_CONFIGURATION", field });
  const { message, advice } = error as LociError;
  expect(`${message}${advice ?? ""}`).not.toContain(input.apiKey.trim().slice(-40) || "loci_agents");
});

describe("a token that was changed", () => {
  test("in any one character is not genuine", () => {
    const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ";
    expect(isGenuine(token)).toBe(true);
    for (let place = 0; place < token.length; place++) {
      const other = characters[(place * 31) % characters.length]!;
      if (other === token[place]) continue;
      const changed = token.slice(0, place) + other + token.slice(place + 1);
      expect({ place, isGenuine: isGenuine(changed) }).toEqual({ place, isGenuine: false });
    }
  });

  test("by cutting, adding or joining is not genuine", () => {
    const [head, payload, signature] = token.split(".") as [string, string, string];
    const wider = Buffer.from(JSON.stringify({ ...claims, scopes: ["*"] })).toString("base64url");
    const none = Buffer.from(JSON.stringify({ ...header, alg: "none" })).toString("base64url");
    for (const text of [
      "",
      ".",
      "..",
      `${head}.${payload}`,
      `${head}.${payload}.`,
      `${head}.${wider}.${signature}`,
      `${none}.${payload}.`,
      `${none}.${payload}.${signature}`,
      `${token}.`,
      `${token}=`,
      ` ${token}`,
      token.slice(0, -1),
      `${token}A`,
    ])
      expect({ text, isGenuine: isGenuine(text) }).toEqual({ text, isGenuine: false });
  });

  test("to another algorithm, as if the public key were a shared secret, is not genuine", () => {
    const text = [{ ...header, alg: "HS256" }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString("base64url"),
    );
    const mac = createHmac("sha512", tokenKeys[options.apiKey]!).update(text.join(".")).digest("base64url");
    expect(readDelegatedToken(`${text.join(".")}.${mac}`)).toBeUndefined();
  });
});

test.each([
  ["another type", { ...header, typ: "JWT" }, claims],
  ["a header that must be understood", { ...header, crit: ["b64"] }, claims],
  ["a key of its own", { ...header, jwk: {} }, claims],
  ["no id of a key", { alg: "EdDSA", typ: header.typ }, claims],
  ["a claim that is not known", header, { ...claims, nbf: 5 }],
  ["no scopes", header, { ...claims, scopes: [] }],
  ["no list of scopes", header, { ...claims, scopes: "*" }],
  ["a scope that is none", header, { ...claims, scopes: ["user:a*"] }],
  ["too many scopes", header, { ...claims, scopes: Array.from({ length: 51 }, () => "user:a") }],
  ["an unknown role", header, { ...claims, roles: ["root"] }],
  ["no roles", header, { iat: 1, exp: 2, scopes: ["user:ann"] }],
  ["an end before its beginning", header, { ...claims, exp: 1 }],
  ["half a second", header, { ...claims, exp: 2.5 }],
  ["a time beyond all time", header, { ...claims, exp: 1e300 }],
  ["no object", header, [claims]],
  ["nothing", header, null],
])("what its own key has signed with %s is no token", (_name, head, payload) => {
  expect(readDelegatedToken(signed(header, claims))).toBeDefined();
  expect(readDelegatedToken(signed(head, payload))).toBeUndefined();
});

test("reading takes any text at all without an error", () => {
  const part = fc.oneof(
    fc.string(),
    fc.json().map((json) => Buffer.from(json).toString("base64url")),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part, { maxLength: 4 }).map((parts) => parts.join(".")),
      ),
      (text) => {
        expect(readDelegatedToken(text)).toBeUndefined();
      },
    ),
    { numRuns: 300 },
  );
  expect(readDelegatedToken(`${"A".repeat(1e7)}.A.A`)).toBeUndefined();
});
