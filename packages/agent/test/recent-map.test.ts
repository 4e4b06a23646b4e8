import { expect, test } from "vitest";
import { RecentMap } from "../src/recent-map.ts";

test("what was asked for or set least recently is forgotten first", () => {
  const map = new RecentMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  expect(map.get("a")).toBe(1);
  map.set("c", 3);
  expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, 3]);
  // Set again it is the newest.
  map.set("a", 4);
  map.set("d", 5);
  expect([map.get("a"), map.get("c"), map.get("d")]).toEqual([4, undefined, 5]);
});

test("a key is deleted only while it has the value that is meant", () => {
  const map = new RecentMap<number>(2);
  map.set("a", 1);
  map.delete("a", 2);
  expect(map.get("a")).toBe(1);
  map.delete("a", 1);
  expect(map.get("a")).toBeUndefined();
});
