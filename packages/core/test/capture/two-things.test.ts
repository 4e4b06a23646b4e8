import { expect, test } from "vitest";
import { closed, memory } from "./captured.ts";

test.each([
  // Which of them it is stands before or behind what both are called by.
  ["The interview with Anna is on 12 May at 10.", "The interview with Ravi is on 14 May at 10."],
  ["The Hartmann contract runs until 31 December.", "The Novak contract was cancelled."],
  ["The user has got a meeting with HR on 4 June.", "The meeting with legal is cancelled."],
  ["The course in Leeds costs 300 euros.", "The course in York costs 250 euros now."],
  ["The staging database is Postgres 15.", "The production database is Postgres 16 now."],
  ["The red team plays at 3.", "The blue team plays at 5 now."],
  ["The big van carries 12 crates.", "The small van carries 8 crates now."],
  ["The Monday call is at 9.", "The Thursday call is at 11 now."],
  ["The main branch is called master.", "The new feature branch is called otter."],
  ["Unit tests run with vitest.", "The e2e tests run with playwright now."],
  ["The car insurance is with Axa.", "House insurance is with Allianz since January."],
  ["The client Orell pays net 30.", "Client Meier pays net 14 from now on."],
  ["The user's flight to Rome is on 3 May.", "I booked the flight to Naples for 9 May."],
  ["The invoice for May is paid.", "The invoice for June is open."],
  ["The cat gets wet food twice a day.", "The dog gets dry food once a day now."],
  ["The user takes 50 mg sertraline.", "I take 20 mg of omeprazole since May."],
  ["The user speaks Spanish at B1.", "I passed B2 in French."],
  // One of what the known one names alone.
  ["The API runs on port 8080.", "The admin API runs on port 9090."],
  // Where it is, of which something is told.
  ["The team's docs live on staging.", "Staging moved to fly.io."],
  ["The bug is in the parser.", "The parser has 40 tests now."],
  // All that they have in common is what is told of them.
  ["Parking costs 4 pounds a day.", "The train costs 12 pounds a day now."],
  ["Invoices are due after 30 days.", "The VAT return is due on 7 May now."],
  // Whose it is.
  ["The user's car is a Fiat.", "Tom's car is a Volvo now."],
  ["The user's address is 12 Mill Lane.", "The shop's address is 4 High Street now."],
  ["The user takes the bus to work.", "The kids take the tram to school now."],
  // One end, and the other one.
  ["The shop opens at 9.", "The shop closes at 6 now."],
  ["The user's flight leaves at 9:40.", "We land at 11:15 now."],
  ["The school run is at 8:30.", "School finishes at 3:15."],
  // What the speaker does with it.
  ["The user writes the newsletter on Fridays.", "I write the minutes on Mondays now."],
  ["The user pays 45 a month for the gym.", "I pay 30 a month for broadband now."],
  // What comes besides.
  ["The family has a dog called Biscuit.", "We've got a cat as well now, she's called Pepper."],
  ["The user plays the piano.", "I've started the cello as well."],
  // A word that anything is measured in.
  ["Which day is choir practice: Thursdays.", "We have to be in the office every day now."],
])("%s is not over by: %s", (known, said) => {
  expect(closed(memory("m1", known), `user: ${said}`)).toEqual([]);
});

test.each([
  ["The interview with Anna is on 12 May.", "The interview with Anna moved to 14 May."],
  ["The Novak contract runs until December.", "The Novak contract was cancelled."],
  ["The user's flight leaves at 9:40.", "My flight leaves at 10:20 now."],
  ["The kids' swimming lesson is on Mondays at 4.", "Swimming has moved to Tuesdays at half past four."],
  ["The unit tests run with jest.", "The unit tests run with vitest now."],
  ["The car insurance is with Axa.", "The car insurance is with Allianz now."],
  ["The client Orell pays net 30.", "Orell pays net 14 now."],
  ["The user's flight to Rome is on 3 May.", "The flight to Rome is on 4 May now."],
  ["The user takes 50 mg sertraline.", "I take 100 mg of sertraline since May."],
  ["The user speaks Spanish at B1.", "I passed B2 in Spanish."],
  ["The API runs on port 8080.", "The API runs on port 9090 now."],
  ["The team's docs live on staging.", "The docs moved to Notion."],
  ["Carla is the user's manager.", "Joost is my manager now."],
  ["Ben is the lead on checkout.", "Sara is the lead on checkout now."],
  ["The front door code is 4711.", "The front door code is 9933 now."],
  ["The user has two cats.", "I have three cats now."],
  ["The user writes the newsletter on Fridays.", "I write the newsletter on Mondays now."],
  ["The heating is set to 20 degrees.", "I've turned the heating down to 18."],
])("%s is over by: %s", (known, said) => {
  expect(closed(memory("m1", known), `user: ${said}`)).not.toEqual([]);
});

test("whoever is to be called otherwise keeps their name", () => {
  const name = memory("m1", "The user's name is Johanna Voss.", "name", "Johanna");
  expect(closed(name, "user: Please call me Hanne from now on.")).toEqual([]);
  const address = memory("m2", "Call the user Jo.", "form of address", "Jo");
  expect(closed(address, "user: Actually I'd rather you called me Joanna.")).toEqual(["UPDATE"]);
  expect(closed(name, "user: I've changed my name, it's Hanne Berg now.")).toEqual(["UPDATE"]);
});

test("what names the slot of a memory speaks of it", () => {
  const opening = memory("m1", "The play opens on 3 May.", "opening date", "3 May");
  expect(closed(opening, "user: Opening night has been pushed to 17 May.")).toEqual(["UPDATE"]);
});

test.each([
  [
    "The user goes to yoga on Tuesdays.",
    "Take the yoga off completely, the studio shut down and honestly I haven't missed it.",
  ],
  [
    "The flat has dinner together every Tuesday.",
    "The tuesday dinners are dead, nobody shows up, we stopped that before the exams.",
  ],
])("why it is over takes nothing's place: %s, %s", (known, said) => {
  expect(closed(memory("m1", known), `user: ${said}`)).toEqual(["DELETE"]);
});
