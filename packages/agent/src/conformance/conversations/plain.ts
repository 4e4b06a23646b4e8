import { image, type ToldConversation } from "../told-conversation.ts";

const flight = "The flight to Oslo leaves on Friday at 9:40.";
const hotel = "Ann stays at the hotel by the harbour in Oslo.";
const question = "When does my flight to Oslo leave?";

/** Questions that are answered at once. */
export const plainConversations: readonly ToldConversation[] = [
  {
    name: "a question is shown what is remembered",
    memories: { ann: [flight, hotel] },
    questions: [{ asks: question, steps: [{ says: "At 9:40." }], shows: [flight] }],
  },
  {
    name: "an answer is streamed",
    memories: { ann: [flight] },
    questions: [{ asks: question, isStreamed: true, steps: [{ says: "On Friday, at 9:40." }], shows: [flight] }],
  },
  {
    name: "of whom nothing is known is asked as they said it",
    questions: [{ asks: question, steps: [{ says: "I do not know." }], shows: null }],
  },
  {
    name: "of whom nothing is known is streamed an answer",
    questions: [{ asks: question, isStreamed: true, steps: [{ says: "I do not know." }], shows: null }],
  },
  {
    name: "several questions in one chat leave what was said before as it was",
    memories: { ann: [flight, hotel] },
    questions: [
      { asks: "Hello.", steps: [{ says: "Hello, Ann." }] },
      { asks: question, steps: [{ says: "At 9:40." }], shows: [flight] },
      { asks: "And where do I stay in Oslo?", steps: [{ says: "By the harbour." }], shows: [hotel] },
      { asks: "Thanks.", steps: [{ says: "You are welcome." }] },
    ],
  },
  {
    name: "several questions in one chat are streamed answers",
    memories: { ann: [flight] },
    questions: [
      { asks: "Hello.", isStreamed: true, steps: [{ says: "Hello, Ann." }] },
      { asks: question, isStreamed: true, steps: [{ says: "At 9:40." }], shows: [flight] },
    ],
  },
  {
    name: "who says the same twice is kept twice",
    memories: { ann: [flight] },
    questions: [
      { asks: "Thanks.", steps: [{ says: "You are welcome." }] },
      { asks: "Thanks.", steps: [{ says: "You are welcome." }] },
    ],
  },
  {
    name: "a follow-up is recalled for together with what it goes on from",
    memories: { ann: [flight, hotel] },
    questions: [
      { asks: question, steps: [{ says: "At 9:40 on Friday." }] },
      { asks: "And which hotel?", steps: [{ says: "The one by the harbour." }], shows: [hotel, flight] },
    ],
  },
  {
    name: "several messages before there is an answer are kept with it",
    memories: { ann: [flight] },
    questions: [
      { asks: "Hello.", steps: [{ says: "Hello." }] },
      { after: ["I am in a hurry.", "Be short."], asks: question, steps: [{ says: "At 9:40." }], shows: [flight] },
    ],
  },
  {
    name: "an image behind the question stays there",
    memories: { ann: [flight] },
    questions: [{ asks: ["Is this my flight to Oslo?", image], steps: [{ says: "It is." }], shows: [flight] }],
  },
  {
    name: "an image before the question stays there, behind what is remembered",
    memories: { ann: [flight] },
    questions: [{ asks: [image, "Is this my flight to Oslo?"], steps: [{ says: "It is." }], shows: [flight] }],
  },
  {
    name: "an image between texts stays there",
    memories: { ann: [flight] },
    questions: [
      { asks: ["Is this my flight to Oslo?", image, "Or is it the one back?"], steps: [{ says: "It is." }] },
      { asks: "Thanks.", steps: [{ says: "You are welcome." }] },
    ],
  },
  {
    name: "an image alone asks by nothing",
    memories: { ann: [flight] },
    questions: [{ asks: [image], steps: [{ says: "A ticket." }] }],
  },
  {
    name: "an image is streamed an answer, and stays in what was said",
    memories: { ann: [flight] },
    questions: [
      { asks: ["Is this my flight to Oslo?", image], isStreamed: true, steps: [{ says: "It is." }], shows: [flight] },
      { asks: [image], isStreamed: true, steps: [{ says: "A ticket." }] },
    ],
  },
  {
    name: "without a session nothing is kept",
    memories: { ann: [flight] },
    questions: [{ session: null, asks: question, steps: [{ says: "At 9:40." }], shows: [flight] }],
  },
  {
    name: "spaces, lines and other scripts stay as they are",
    memories: { ann: ["Anns Flug nach Köln geht um 9:40. 日本語 👩🏽‍💻"] },
    questions: [
      { asks: "  Wann geht mein Flug nach Köln?\n\n", steps: [{ says: "Um 9:40.\n\n- Freitag 👩🏽‍💻\n" }] },
      { asks: "\n日本語?", steps: [{ says: "はい。" }] },
    ],
  },
];
