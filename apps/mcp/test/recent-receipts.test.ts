import { expect, test } from "vitest";
import { RecentReceipts } from "../src/resources/recent-receipts.ts";

test("a receipt that is kept again takes room once, and is the newest", () => {
  const receipts = new RecentReceipts();
  receipts.keep("other", "first");
  for (let times = 0; times < 10; times++) {
    receipts.keep("x".repeat(300_000), "again");
    receipts.keep("small", "second");
  }
  receipts.keep("x".repeat(10), "again");
  expect(receipts.ids()).toEqual(["again", "second", "first"]);
  expect(receipts.get("again")).toHaveLength(10);
});

test("the oldest go when there are too many, or they are too large together", () => {
  const receipts = new RecentReceipts();
  const ids = Array.from({ length: 20 }, () => receipts.keep("small"));
  expect(receipts.ids()).toEqual(ids.slice(-16).toReversed());
  receipts.keep("x".repeat(1024 * 1024), "large");
  expect(receipts.ids()).toEqual(["large"]);
});
