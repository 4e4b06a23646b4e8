import { LociError } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type EncryptionKeys, keyIdOf, type SealedPlace, Sealing } from "../src/index.ts";

const keyOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);
const keys: EncryptionKeys = { current: "new", keys: { new: keyOf(1), old: keyOf(2) } };
const place: SealedPlace = { tenant: "acme", path: ["changes", 7, "record"] };
const nonceOf = (sealed: string): string =>
  Buffer.from(sealed.slice(sealed.indexOf(".") + 1), "base64url").toString("hex", 0, 12);
const anyPlace = fc.record({
  tenant: fc.string({ maxLength: 12, unit: "grapheme" }),
  path: fc.array(fc.oneof(fc.string({ maxLength: 6 }), fc.nat()), { minLength: 1, maxLength: 5 }),
});

function reasonOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (LociError.is(error)) return error.reason;
    throw error;
  }
  return "none";
}

describe("sealed texts", () => {
  test("are what was sealed, of any text in any place", () => {
    const sealing = new Sealing(keys);
    fc.assert(
      fc.property(anyPlace, fc.string({ maxLength: 400, unit: "grapheme" }), (at, text) => {
        const sealed = sealing.seal(at, text);
        expect(keyIdOf(sealed)).toBe("new");
        expect(sealing.open(at, sealed)).toBe(text);
        const found = sealing.sealForLookup("old", at, text);
        expect(sealing.openLookup(at, found)).toBe(text);
        expect(sealing.sealForLookup("old", at, text)).toBe(found);
      }),
    );
  });

  test("have nonces that are never the same, of as many as two refills of random bytes and more", () => {
    const sealing = new Sealing(keys);
    const nonces = new Set<string>();
    for (let count = 0; count < 20_000; count++) nonces.add(nonceOf(sealing.seal(place, "the same text")));
    expect(nonces.size).toBe(20_000);
  });

  test("for looking up have a nonce for each text, place, tenant and key, and never another one's", () => {
    const sealing = new Sealing(keys);
    const about = new Map<string, Set<string>>();
    const nonces = new Map<string, Set<string>>();
    const note = (map: Map<string, Set<string>>, name: string, value: string): void => {
      map.set(name, (map.get(name) ?? new Set()).add(value));
    };
    fc.assert(
      fc.property(anyPlace, fc.constantFrom("new", "old"), fc.string({ maxLength: 8 }), (at, id, text) => {
        const nonce = nonceOf(sealing.sealForLookup(id, at, text));
        const sealed = JSON.stringify([id, at.tenant, at.path, text]);
        note(about, nonce, sealed);
        note(nonces, sealed, nonce);
      }),
    );
    expect(about.size).toBeGreaterThan(50);
    expect(Math.max(...Array.from(about.values(), ({ size }) => size))).toBe(1);
    expect(Math.max(...Array.from(nonces.values(), ({ size }) => size))).toBe(1);
  });

  test("are refused in any other place, of another tenant and under another key", () => {
    const sealing = new Sealing(keys);
    fc.assert(
      fc.property(anyPlace, anyPlace, (one, other) => {
        fc.pre(JSON.stringify([one.tenant, one.path]) !== JSON.stringify([other.tenant, other.path]));
        expect(reasonOf(() => sealing.open(other, sealing.seal(one, "text")))).toBe("DATA_DIRECTORY_CORRUPT");
        expect(reasonOf(() => sealing.openLookup(other, sealing.sealForLookup("new", one, "text")))).toBe(
          "DATA_DIRECTORY_CORRUPT",
        );
      }),
    );
    const renamed = sealing.seal(place, "text").replace(/^new/, "old");
    expect(reasonOf(() => sealing.open(place, renamed))).toBe("DATA_DIRECTORY_CORRUPT");
    expect(reasonOf(() => sealing.open(place, sealing.sealForLookup("new", place, "text")))).toBe(
      "DATA_DIRECTORY_CORRUPT",
    );
  });

  test("are refused with any bit changed, and cut off anywhere, without a word of the text", () => {
    const sealing = new Sealing(keys);
    const sealed = sealing.seal(place, "cardamom");
    const body = Buffer.from(sealed.slice(4), "base64url");
    for (let bit = 0; bit < body.length * 8; bit++) {
      const altered = Buffer.from(body);
      altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(reasonOf(() => sealing.open(place, `new.${altered.toString("base64url")}`))).toBe(
        "DATA_DIRECTORY_CORRUPT",
      );
    }
    for (let end = 0; end < sealed.length; end++)
      expect(reasonOf(() => sealing.open(place, sealed.slice(0, end)))).toBe("DATA_DIRECTORY_CORRUPT");
    expect(() => sealing.open(place, sealed.slice(0, -1))).toThrow(
      /^changes 7 record cannot be decrypted: it was altered/,
    );
  });

  test("of a key that was not given name it, and are told from what is damaged", () => {
    const old = new Sealing({ current: "old", keys: { old: keyOf(2) } });
    const sealed = new Sealing(keys).seal(place, "text");
    expect(() => old.open(place, sealed)).toThrow('The encryption key "new" is needed');
    expect(reasonOf(() => old.open(place, sealed))).toBe("ENCRYPTION_KEY_MISSING");
    const other = new Sealing({ current: "new", keys: { new: keyOf(3) } });
    expect(reasonOf(() => other.open(place, sealed))).toBe("DATA_DIRECTORY_CORRUPT");
  });

  test("words stand for themselves by key, tenant and kind, and not for each other", () => {
    const sealing = new Sealing(keys);
    const blinds = [
      sealing.blinded("new", "acme", "term", "tea"),
      sealing.blinded("new", "acme", "term", "teas"),
      sealing.blinded("new", "acme", "tag", "tea"),
      sealing.blinded("new", "other", "term", "tea"),
      sealing.blinded("old", "acme", "term", "tea"),
    ];
    expect(new Set(blinds).size).toBe(blinds.length);
    expect(sealing.blinded("new", "acme", "term", "tea")).toBe(blinds[0]);
  });
});
