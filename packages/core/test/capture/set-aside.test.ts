import { expect, test } from "vitest";
import { setAsideIn } from "../../src/capture/judge/set-aside.ts";

test.each([
  ["I keep my tasks in Bear, Obsidian got on my nerves", ["obsidi"]],
  ["We marry in the barn because the mill burned", ["mill"]],
  ["Obsidian got on my nerves", []],
  ["Obsidian got on my nerves, and I lost a week", []],
  ["Rehearsals have not moved from the hall, tell that to anyone who asks", []],
  ["The dentist is shut on Saturday, so there is no cleaning", []],
  ["The depot needs paint, Pim asked for blue", []],
])("of %j it is only told that it was: %j", (text, aside) => expect([...setAsideIn(text)]).toEqual(aside));
