import { describe, expect, test } from "vitest";
import { facetsOf } from "../../src/capture/index.ts";
import { closed, memory } from "./captured.ts";

describe("turns of phrase that say that something is over", () => {
  test.each([
    "The regatta's off, my wrist gave out.",
    "No more regattas.",
    "I'm done with regattas.",
    "Bye bye regatta!",
    "They laid me off.",
    "We had to put Rex to sleep.",
    "The shop let me go.",
    "The old van went to scrap.",
    "We called it off.",
    "I hung up my boots.",
    "Physio discharged me.",
    "I quit smoking two years ago.",
  ])("%s", (said) => expect(facetsOf(said).tellsEnd).toBe(true));

  test.each([
    "The regatta's off Dover.",
    "No more than two regattas a year.",
    "When you're done with a task, say so.",
    "A goodbye from us is on the table.",
    "I took it back next morning.",
    "We haven't called it off.",
    "I quit Harker's two years ago.",
  ])("but not: %s", (said) => expect(facetsOf(said).tellsEnd).toBe(false));

  test("what was taken up again is not over", () => {
    const job = memory("p1", "Works at Fenwick as a dispatcher.", "employer", "Fenwick");
    expect(closed(job, "user: They laid me off from Fenwick in March.")).toEqual(["DELETE"]);
    expect(closed(job, "user: They laid me off from Fenwick in March, then hired me straight back.")).toEqual([]);
  });
});
