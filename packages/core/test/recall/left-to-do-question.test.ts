import { expect, test } from "vitest";
import { asksWhatIsLeftToDo } from "../../src/index.ts";

test.each([
  "What is left to do?",
  "morning. where were we",
  "hi back, what's next?",
  "What’s still open?",
  "Where did we stop last time?",
  "ok, continue",
  "Let's continue where we left off!",
  "what else is to be done",
  "which tasks are still open?",
])("asks where the work stands: %s", (question) => expect(asksWhatIsLeftToDo(question)).toBe(true));

test.each([
  "What is left to do for the login?",
  "continue with seasons",
  "Where were we on holiday?",
  "What is next week's plan?",
  "What is missing in the invoice?",
  "What is left?".padEnd(121, " "),
  "",
])("asks for something else: %s", (question) => expect(asksWhatIsLeftToDo(question)).toBe(false));
