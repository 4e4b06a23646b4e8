import { describe, expect, test } from "vitest";
import { checkEncryptionKeys, newEncryptionKey, readEncryptionKeys } from "../src/index.ts";

const secret = "c2VjcmV0LXRoYXQtbm9ib2R5LW1heS1zZWUtMzItYnk=";

describe("encryption keys", () => {
  test("are read as they are made, the current one first", () => {
    const lines = [newEncryptionKey("2027"), "", "# of last year", ` ${newEncryptionKey("2026")} `].join("\n");
    const read = readEncryptionKeys(lines);
    expect(read.current).toBe("2027");
    expect([...checkEncryptionKeys(read).keys()].toSorted()).toEqual(["2026", "2027"]);
    expect(readEncryptionKeys(`${newEncryptionKey("b")},${newEncryptionKey("a")}`).current).toBe("b");
    expect(newEncryptionKey()).toMatch(/^\d{4}-\d\d-\d\d:[A-Za-z0-9+/]{43}=$/);
    expect(newEncryptionKey("one")).not.toBe(newEncryptionKey("one"));
  });

  test.each([
    ["nothing", "", "There is no key"],
    ["no id", secret, "has no id"],
    ["the same id twice", `a:${secret}\na:${secret}`, "has the id of one above it"],
    ["a key that is too short", "a:c2VjcmV0", "must be 32 random bytes"],
    ["a key as hex", `a:${"ab".repeat(32)}`, "must be 32 random bytes"],
    ["an id with a dot", `a.b:${secret}`, "an id that is none"],
    ["a key in the place of the id", `${secret}:a`, "an id that is none"],
  ])("with %s are refused, and not repeated", (_, text, problem) => {
    let message = "";
    try {
      readEncryptionKeys(text);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain(problem);
    expect(message).not.toContain(secret);
    expect(message).not.toContain("c2VjcmV0");
  });

  test("given as bytes are copied, and the current one has to be among them", () => {
    const bytes = new Uint8Array(32).fill(7);
    const checked = checkEncryptionKeys({ current: "a", keys: { a: bytes } });
    bytes.fill(0);
    expect(checked.get("a")?.[0]).toBe(7);
    expect(() => checkEncryptionKeys({ current: "b", keys: { a: bytes } })).toThrow("encryption.current is not the id");
    expect(() => checkEncryptionKeys({ current: "a", keys: { a: new Uint8Array(31) } })).toThrow(
      "must be 32 random bytes",
    );
    expect(() => checkEncryptionKeys({ current: "a", keys: {} })).toThrow("has 0 keys");
  });
});
