import { expect, test } from "vitest";
import { asksForEverything } from "../../src/index.ts";

test.each([
  "What do you know about me?",
  "What do you remember?",
  "Tell me everything you know about me, please.",
  "Please list all the things you’ve learned about us so far!",
  "What have you stored about me right now?",
  "Do you remember anything about me?",
  "Who am I?",
])("asks for all that is known: %s", (question) => expect(asksForEverything(question)).toBe(true));

test.each([
  "What do you know about my job?",
  "What do you know about me and Bosse?",
  "What do you know?".padEnd(201, " "),
  "How do you know me?",
  "Do you remember me?",
  "Who am I meeting today?",
  "What did I tell you about me?",
  "Everything is fine.",
  "",
])("asks for something else: %s", (question) => expect(asksForEverything(question)).toBe(false));
