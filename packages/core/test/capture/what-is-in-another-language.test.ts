import { describe, expect, test } from "vitest";
import { capture, turnsOf } from "./captured.ts";

/** The texts that are remembered of one turn of a user. */
const remembered = (said: string): readonly string[] =>
  capture(turnsOf(`user: ${said}`)).flatMap(({ reason, text }) => (reason === null ? [text] : []));

describe("the rules read English, and make nothing of other languages", () => {
  test.each([
    "No me gusta el pescado.",
    "No me llames mañana, por favor.",
    "Pero no me des consejos.",
    "Siempre responde en español.",
    "Non me lo dire.",
    "Ne me parle pas.",
    "Bitte antworte immer auf Deutsch.",
    "Mi presupuesto es de 2.000 euros al mes.",
    "Era el martes, no el lunes.",
    "Man, was für ein Tag!",
    "Ich nutze ein MacBook Pro mit 16 GB RAM.",
    "Mon chien s'appelle Rex, il a 4 ans.",
    "On a 12 tests qui passent.",
    "Ik woon in Gent en mijn naam is Bart.",
    "Mijn baas is Piet.",
    "We hebben twee katten.",
    "We gaan in mei naar Rome.",
    "I bin allergisch gegen Nüsse.",
    "Hola, me llamo Ana y vivo en Madrid.",
    "Meu cachorro se chama Rex e tem 4 anos, não é uma gata.",
    "My budget 2000 euro hai, mujhe kam chahiye, nahi?",
    "請求にはPostgreSQL 17を使うことにしました。",
    "ميزانيتي 2000 يورو في الشهر.",
    "मेरा बजट 2000 यूरो है।",
    "ピーナッツアレルギーがあります。",
    "أفضل القهوة على الشاي.",
  ])("%s", (said) => expect(remembered(said)).toEqual([]));

  test.each([
    "My name is 健太",
    "My name is أحمد",
    "I live in München",
    "My favourite city is 東京",
    "My favourite film is Das Leben der Anderen.",
    "I live in Santa Cruz de la Sierra.",
    "We always eat at Le Petit Bistro de la Gare.",
    "My sister studies at the Universidad de los Andes.",
    "We test with jest.",
    "Ben is my boss.",
  ])("but names are names in English: %s", (said) => expect(remembered(said)).toHaveLength(1));
});

test("nor a rule of what corrects the assistant", () => {
  const turns = turnsOf("user: Put it down, please.", "assistant: Done.", "user: No, era el martes, no el lunes.");
  expect(capture(turns).filter(({ reason }) => reason === null)).toEqual([]);
});

describe("a value that the rules do not read is no value", () => {
  test.each(["My favorite emoji is 🦊", "My favourite colour is"])("%s", (said) =>
    expect(remembered(said)).toEqual([]),
  );

  test("nor is it what is said next", () => {
    const turns = turnsOf("user: My favorite emoji is 🦊", "assistant: OK.", "user: I live in Rome.");
    const texts = capture(turns).flatMap(({ reason, text }) => (reason === null ? [text] : []));
    expect(texts).toEqual(["The user lives in Rome."]);
  });
});

test.each(["She said: I live in Rome.", "Tom wrote: I am allergic to nuts."])(
  "whose words another's are is not the user: %s",
  (said) => expect(remembered(said)).toEqual([]),
);
