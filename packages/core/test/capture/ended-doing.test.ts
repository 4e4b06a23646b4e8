import { expect, test } from "vitest";
import { closed, memory } from "./captured.ts";

test.each([
  ["The user is learning Spanish.", "I stopped learning chess."],
  ["The user drinks coffee.", "I stopped drinking beer, too many calories."],
  ["The user teaches maths.", "I gave up teaching yoga."],
  ["The user is studying law.", "I'm done with studying at night."],
  ["The user is writing a novel.", "I finished writing the report."],
  ["The user pays 900 rent.", "The gym costs 40 now."],
])("%j stays: %s", (known, said) => expect(closed(memory("m", known), `user: ${said}`)).toEqual([]));

test.each([
  ["The user is learning Spanish.", "I stopped learning Spanish."],
  ["The user teaches maths.", "I gave up teaching."],
  ["The user teaches maths.", "I stopped teaching in June."],
  ["The user teaches maths.", "I stopped teaching to write a book."],
  ["The user smokes.", "I quit smoking cigarettes."],
  ["The user drinks beer.", "I stopped drinking alcohol."],
  ["The user eats chicken.", "I stopped eating meat."],
  ["Mila has swimming on Tuesdays.", "Mila quit swimming, she does judo now."],
  ["The user pays 900 rent.", "I pay 950 now."],
])("%j is over: %s", (known, said) => expect(closed(memory("m", known), `user: ${said}`)).toHaveLength(1));
