import { describe, expect, test } from "vitest";
import { capture, outcomes, turnsOf } from "./captured.ts";

const textsOf = (said: string): readonly string[] =>
  capture(turnsOf(`user: ${said}`)).flatMap(({ reason, text }) => (reason === null ? text : []));

describe("what is said in few words", () => {
  test.each([
    ["I don't have a car", ["The user doesn't have a car"]],
    ["We don't own a washing machine.", ["The team doesn't own a washing machine."]],
    ["Tests live next to the sources", ["Tests live next to the sources"]],
    ["The docs live in the wiki.", ["The docs live in the wiki."]],
    ["The client is Ferring, contact is Lars Holm", ["The client is Ferring", "Contact is Lars Holm"]],
    ["I'm saving for a house", ["The user is saving for a house"]],
    ["Beacons for the rooms, lets go with that", ["Beacons for the rooms, the team agrees to go with that"]],
    ["I sail on Sundays when the rota lets me", ["The user sails on Sundays when the rota lets the user"]],
    ["Our youngest turned six last May", ["The family's youngest turned six last May"]],
    ["I have a dog", ["The user has a dog"]],
    ["We have a garden", ["The family has a garden"]],
    ["I'm a nurse.", ["The user is a nurse."]],
    ["I can't swim", ["The user can't swim"]],
    ["I'm vegan, remember?", ["The user is vegan"]],
    ["I'm a millionaire. just kidding, I work in retail", ["The user works in retail"]],
    ["Where can I buy oat milk, since I'm lactose intolerant?", ["The user is lactose intolerant"]],
    ["Can you suggest a place for dinner, because I'm vegan?", ["The user is vegan"]],
    ["My sister lives in Oslo, don't you know?", ["The user's sister lives in Oslo"]],
    ["When I say the board, I mean the Trello one", ["When the user says the board, the user means the Trello one"]],
    ["I'm Portuguese but write to me in English", ["The user is Portuguese but write to the user in English"]],
    ["I live in Ghent and take my dog with me", ["The user lives in Ghent and takes the user's dog with the user"]],
  ])("%s", (said, texts) => expect(textsOf(said)).toEqual(texts));

  test.each([
    "I don't have a clue",
    "I don't have time",
    "I don't have a pen with me",
    "I don't have the file here",
    "Ideas live forever",
    "The client is waiting, the contact is asking",
    "I'm saving the file",
    "The museum closes at five, doesn't it?",
    "Do I eat meat, do you know?",
    "Do you think they avoid me because I'm vegan?",
    "What can I do since I'm bored?",
    "oh sure, and I'm the queen of england",
    "yeah right, I'm totally a millionaire",
    "Act as my grandma who worked in a factory",
    "According to the article, the company has 400 employees.",
    "Example input: name=Alice, age=30, city=Paris",
    "In the book, Anna moves to Moscow.",
    "The doctor in the movie has a limp",
    "I'm on the train, bad reception",
    "I'm in the car, can't type much",
    "Sam is a common name, isn't it?",
    "Can you believe it's already November",
    "We agreed that in Monday's call.",
    "I'm saving it for later",
  ])("nothing of %s", (said) => expect(textsOf(said)).toEqual([]));

  test("who shouts is doing it", () =>
    expect(outcomes(capture(turnsOf("user: THE CLIENT IS WAITING")))).toEqual(["TRANSIENT"]));
});
