import { describe, expect, test } from "vitest";
import { closed, memory } from "./captured.ts";

describe("what was given for something else is over, and what was taken for it is known", () => {
  test.each([
    ["The user has a MacBook.", "I replaced the MacBook with a ThinkPad"],
    ["The user uses a MacBook for work.", "I replaced my MacBook with a ThinkPad."],
    ["The user's laptop is a MacBook Pro.", "I swapped the MacBook for a ThinkPad"],
    ["The user uses a MacBook for work.", "I traded my MacBook for a ThinkPad."],
    ["The team uses Redis for queues.", "We replaced Redis with Valkey."],
    ["Her daughter Tilda plays handball.", "she swapped handball for judo after the holidays"],
    ["The user prefers paper books.", "I hardly touch paper books any more, the reader won"],
  ])("%s %s", (known, said) => expect(closed(memory("m1", known), `user: ${said}`)).toEqual(["UPDATE"]));

  test.each([
    ["a part of it", "The user has a MacBook.", "I replaced the battery of the MacBook with a new one"],
    ["something else", "The user has a MacBook.", "We replaced Redis with Valkey."],
    ["what is only thought of", "The user has a MacBook.", "I might replace the MacBook with a ThinkPad"],
    ["what is asked", "The user has a MacBook.", "Should I have replaced the MacBook with a ThinkPad?"],
    ["what somebody else did", "The user has a MacBook.", "My sister replaced her MacBook with a ThinkPad"],
  ])("but not %s", (_, known, said) => expect(closed(memory("m1", known), `user: ${said}`)).toEqual([]));
});
