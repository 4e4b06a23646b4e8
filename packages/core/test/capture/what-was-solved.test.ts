import { describe, expect, test } from "vitest";
import { closed, memory } from "./captured.ts";

const failing = "The team's webhook deliveries fail since the 3.2 upgrade, error 410.";

describe("a trouble that is solved is none any more", () => {
  test.each([
    [failing, "user: webhook problem is solved, it was the firewall"],
    [failing, "user: The webhooks are fixed now."],
    [failing, "user: We finally fixed the webhook problem."],
    ["The checkout page has a problem with Safari.", "user: The Safari problem is fixed"],
    ["The importer crashes on empty rows.", "user: Good news: the importer crash has been resolved."],
  ])("%s %s", (known, said) => expect(closed(memory("m1", known), said)).toEqual(["DELETE"]));

  test.each([
    [
      "what is no trouble",
      "The team's webhook deliveries go to the eu-central-1 region.",
      "user: The webhook problem is solved.",
    ],
    ["another trouble", "The nightly import fails on Mondays.", "user: The webhook problem is solved."],
    ["one that is not solved", failing, "user: The webhook problem is not solved."],
    ["one that may be", failing, "user: Once the webhook problem is solved we can upgrade."],
    ["one that is nearly", failing, "user: The webhook problem is almost fixed."],
    ["what nobody names", failing, "user: It is fixed."],
    ["what was", "The webhook deliveries failed for a week in 2023.", "user: The webhook problem is solved."],
  ])("but not %s", (_, known, said) => expect(closed(memory("m1", known), said)).toEqual([]));
});
