import { expect, test } from "vitest";
import { tellsOfChange } from "../../src/recall/told-change.ts";

test.each([
  "The choir now meets in the chapel.",
  "Our plumber is Ole instead of Finn.",
  "I don't ride any more.",
  "We got rid of the van.",
  "The ferry has been replaced by a bridge.",
  "Wages were raised to 17 euros.",
  "Anke took over the bees.",
  "The bees went to Anke.",
  "My tablet broke, so I read on paper.",
])("%s", (text) => expect(tellsOfChange(text)).toBe(true));

test.each([
  "The choir meets in the chapel.",
  "Dogs aren't allowed in the chapel.",
  "The van is called Berta.",
  "We need a hundred chairs.",
  "I know how to knit.",
  `${"The choir meets in the chapel. ".repeat(10)}It meets there no longer.`,
  "",
])("not: %s", (text) => expect(tellsOfChange(text)).toBe(false));
