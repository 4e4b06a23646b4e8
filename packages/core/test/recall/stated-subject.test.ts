import { expect, test } from "vitest";
import { areOfDifferentThings, statedSubject } from "../../src/recall/stated-subject.ts";

const areDifferent = (one: string, other: string): boolean =>
  areOfDifferentThings(statedSubject(one), statedSubject(other));

test.each([
  ["Module 5 sends mail.", "Module 30 checks tokens."],
  ["The server gamma runs PostgreSQL 15.", "The server epsilon runs PostgreSQL 13."],
  ["Anna works on billing.", "Oskar works on support."],
  ["Carla’s birthday is on 11 July.", "Nora's birthday is on 10 May."],
  ["Room 101 seats 4 people.", "Room 102 seats 11 people."],
  ["Acme pays 200 euros a month.", "Gannet pays 500 euros a month."],
  ["Lunch is at noon.", "Dinner is at seven."],
])("%j and %j are of different things", (one, other) => {
  expect(areDifferent(one, other)).toBe(true);
  expect(areDifferent(other, one)).toBe(true);
});

test.each([
  ["I live in Utrecht.", "I live in Groningen."],
  ["My editor is Vim.", "My editor is Zed."],
  ["Ann runs billing.", "Ben runs billing."],
  ["Dr Holm is my dentist.", "Dr Berg is my dentist."],
  ["My favourite meal is pasta.", "My favourite dish is ramen."],
  ["Use pnpm for installs.", "Use yarn for tests."],
  ["Always use tabs.", "Always use spaces."],
  ["The meeting is in room 5.", "The meeting is in room 7."],
  ["It is in room 5.", "It was in room 7."],
  ["Module 5 sends mail.", "Room 7 seats 4 people."],
  ["Ada is at home.", "Ada was in Rome."],
])("%j and %j may be of the same", (one, other) => expect(areDifferent(one, other)).toBe(false));

test.each(["we deploy on Fridays", "This runs at night.", "", "2024-05-01", "Ich wohne in Graz."])(
  "%j says nothing of anybody by name",
  (text) => expect(statedSubject(text)).toBeUndefined(),
);
