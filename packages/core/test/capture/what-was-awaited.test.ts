import { describe, expect, test } from "vitest";
import { closed, memory } from "./captured.ts";

const unpaid = "Carlsen hasn't paid invoice 2207 yet.";

describe("what was awaited is awaited no more once it has happened", () => {
  test.each([
    [unpaid, "user: Carlsen paid 2207 finally"],
    ["The user's parcel has not arrived yet.", "user: The parcel arrived this morning."],
    ["Tom still hasn't answered the user's mail.", "user: Tom answered my mail today."],
  ])("%s %s", (known, said) => expect(closed(memory("m1", known), said)).toEqual(["DELETE"]));

  test.each([
    ["another one", unpaid, "user: Carlsen paid 2198 finally"],
    ["another's", unpaid, "user: Ueberreuter paid their invoice."],
    ["what did not happen", unpaid, "user: Carlsen never paid 2207."],
    ["what may happen", unpaid, "user: Once Carlsen paid 2207 I can buy the tablet."],
    ["what holds for good", "The user has not eaten meat since 2019.", "user: My son ate meat."],
  ])("but not %s", (_, known, said) => expect(closed(memory("m1", known), said)).toEqual([]));
});
