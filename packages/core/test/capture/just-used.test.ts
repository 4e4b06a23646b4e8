import { describe, expect, test } from "vitest";
import { capture, closed, memory, turnsOf } from "./captured.ts";

const minimum = memory("p1", "The app supports iOS 15.", "minimum iOS", "15");
const dose = memory("p1", "Takes 50 mg of sertraline.", "medication", "50 mg sertraline");
const team = memory("p1", "The team has 6 developers.", "team size", "6");
const place = memory("p1", "The server is in Frankfurt.", "server location", "Frankfurt");
const browser = memory("p1", "Uses Chrome.", "browser", "Chrome");
const subject = memory("p1", "Studies biology.", "studies", "biology");
const vehicle = memory("p1", "Owns a Vespa.", "vehicle", "Vespa");

const household = memory("p1", "Cooks for two.", "household", "two");
const savings = memory("p1", "Puts 90 euros a month aside.", "savings", "90 a month");
const bank = memory("p1", "Banks with Velden.", "bank", "Velden");
const school = memory("p1", "The user's son attends Greenacre Primary.", "son's school", "Greenacre Primary");
const hours = memory("p1", "The office closes at 18:00.", "office hours", "18:00");
const watering = memory("p1", "Waters the ferns every morning.", "watering", "every morning");

describe("what the assistant has just used is what is told to be different", () => {
  test.each([
    [minimum, "iOS 15 has no such call.", "16 is our floor since the last release"],
    [dose, "50 mg of sertraline, as before?", "my doctor put me up to 75"],
    [team, "With 6 developers that takes two sprints.", "seven with Ines"],
    [place, "The latency to Frankfurt is 20 ms.", "it sits in Helsinki since the migration"],
    [browser, "In Chrome, open the settings.", "I'm on Firefox since they killed the blocker"],
    [subject, "For your biology course?", "changed to chemistry this term"],
    [vehicle, "Insurance for the Vespa?", "traded it for a cargo bike"],
    [household, "For two, as before?", "for three, my dad is here since his fall"],
    [savings, "From Velden then. Still 90?", "70, the nursery eats the rest"],
    [bank, "From your Velden account?", "closed that account, everything runs through Triodos"],
    [school, "How is your son at Greenacre?", "he's at Hollybank Secondary now, started last week, time flies"],
    [hours, "It closes at six.", "half past seven on weekdays since may"],
    [team, "With 6 developers that takes two sprints.", "we're seven on it, Ines joined us"],
    [watering, "How often do you water the ferns?", "every other evening since I put the drip hoses in"],
    [browser, "Do you still use Chrome?", "I use lynx these days"],
  ])("%j, %s %s", (known, used, said) => {
    expect(closed(known, `assistant: ${used}`, `user: ${said}`)).toEqual(["UPDATE"]);
  });

  test.each([
    [team, "Which of the tickets?", "seven of them are done"],
    [team, "With 6 developers that takes two sprints.", "the phone is 7 now"],
    [team, "With 6 developers that takes two sprints.", "still 6, and 7 testers now"],
    [place, "The latency to Frankfurt is 20 ms.", "my sister moved to Helsinki"],
    [place, "The latency to Frankfurt is 20 ms.", "Farid moved to Helsinki in May"],
    [browser, "In Chrome, open the settings.", "Joyce swapped shifts with me from April"],
    [browser, "In Chrome, open the settings.", "and how do I do it in Firefox?"],
    [subject, "For your biology course?", "for this one I need chemistry now"],
    [household, "For two, as before?", "my dad lives with us, three of his books came along"],
    [bank, "From your Velden account?", "everything runs through Triodos"],
    [browser, "Do you still use Chrome?", "my sister uses lynx these days"],
    [browser, "In Chrome, open the settings.", "I feed the lynx these days"],
    [watering, "The ferns get water every morning.", "that I do anyway, every evening"],
  ])("and not what is told of something else, %j, %s %s", (known, used, said) => {
    expect(closed(known, `assistant: ${used}`, `user: ${said}`)).toEqual([]);
  });

  test("of two things that were used the one that has a value of that kind", () => {
    const diet = { ...memory("p2", "Eats no dairy.", "diet", "no dairy") };
    const lines = ["assistant: For two, without dairy: lentil stew.", "user: for three, Oma moved in with us"] as const;
    const changed = capture(turnsOf(...lines), [household, diet]).filter(({ target }) => target !== null);
    expect(changed.map(({ decision, target }) => [decision, target])).toEqual([["UPDATE", "p1"]]);
  });

  test("and not where two things were used", () => {
    const lines = ["assistant: From Velden and in Frankfurt.", "user: we're with Corvid since they killed it"] as const;
    const known = [bank, { ...place, id: "p2" }];
    expect(closed(bank, ...lines)).toEqual(["UPDATE"]);
    expect(capture(turnsOf(...lines), known).filter(({ target }) => target !== null)).toEqual([]);
  });
});

test("a seat for one journey is no other habit", () => {
  const seat = memory("p1", "Prefers window seats.", "seat", "window");
  expect(closed(seat, "assistant: A window seat?", "user: aisle for this one, I travel with my father")).toEqual([]);
  expect(closed(seat, "assistant: A window seat?", "user: aisle, my knees got worse")).toEqual(["UPDATE"]);
});
