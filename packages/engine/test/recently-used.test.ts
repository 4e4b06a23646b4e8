import { expect, test } from "vitest";
import { RecentlyUsed } from "../src/calls/recently-used.ts";

/** Those that are kept still, which this takes out. */
const kept = (values: RecentlyUsed<string>, keys: string): string =>
  keys
    .split("")
    .filter((key) => values.take(key) !== undefined)
    .join("");

test("of more values than there is room for, those that were used last are kept", () => {
  const values = new RecentlyUsed<string>({ mostValues: 2, mostSize: 100 });
  values.keep("a", "first", 1);
  values.keep("b", "second", 1);
  values.keep("a", values.take("a") ?? "", 1);
  values.keep("c", "third", 1);
  expect(kept(values, "abc")).toBe("ac");
});

test("large values leave room for few, and one that is larger than all of it takes none", () => {
  const values = new RecentlyUsed<string>({ mostValues: 100, mostSize: 10 });
  values.keep("a", "first", 5);
  values.keep("b", "second", 5);
  values.keep("c", "too large", 11);
  values.keep("d", "fourth", 1);
  expect(kept(values, "abcd")).toBe("bd");
});

test("what was taken, or has another size now, takes no room any more", () => {
  const values = new RecentlyUsed<string>({ mostValues: 100, mostSize: 10 });
  for (let times = 0; times < 10; times++) values.keep("a", "again", 5);
  expect(values.take("a")).toBe("again");
  values.keep("b", "second", 5);
  values.keep("c", "third", 5);
  expect(kept(values, "abc")).toBe("bc");
});
