import type { ToldConversation } from "../told-conversation.ts";

const flight = "The flight to Oslo leaves on Friday at 9:40.";
const question = "When does my flight to Oslo leave?";
const look = { id: "call-1", tool: "timetable", input: { to: "Oslo" }, returns: "At 9:40." };

/** Answers that were lost, and other processes: everything is kept once. */
export const repeatedConversations: readonly ToldConversation[] = [
  {
    name: "a question whose answer was lost is kept once",
    memories: { ann: [flight] },
    questions: [
      { asks: question, steps: [{ says: "At 9:40." }] },
      { asks: question, isRepeated: true, steps: [{ says: "At 9:40." }] },
    ],
  },
  {
    name: "a run of tools whose answer was lost is kept once",
    memories: { ann: [flight] },
    questions: [
      { asks: question, steps: [{ calls: [look] }, { says: "At 9:40." }] },
      { asks: question, isRepeated: true, steps: [{ calls: [look] }, { says: "At 9:40." }] },
    ],
  },
  {
    name: "a question that another process asks again is kept once",
    memories: { ann: [flight] },
    questions: [
      { asks: "Hello.", steps: [{ says: "Hello." }] },
      { asks: question, steps: [{ calls: [look] }, { says: "At 9:40." }] },
      { asks: question, isRepeated: true, isElsewhere: true, steps: [{ calls: [look] }, { says: "At 9:40." }] },
      { asks: "Thanks.", steps: [{ says: "You are welcome." }] },
    ],
  },
  {
    name: "a streamed run whose answer was lost is kept once",
    memories: { ann: [flight] },
    questions: [
      { asks: question, isStreamed: true, steps: [{ calls: [look] }, { says: "At 9:40." }] },
      { asks: question, isStreamed: true, isRepeated: true, steps: [{ calls: [look] }, { says: "At 9:40." }] },
    ],
  },
  {
    name: "an answer that nobody has kept, as its process has ended, is kept when it is asked for again",
    memories: { ann: [flight] },
    questions: [
      { asks: "Hello.", steps: [{ says: "Hello." }] },
      { asks: question, loci: "fails to keep", isKept: false, steps: [{ calls: [look] }, { says: "At 9:40." }] },
      {
        asks: question,
        isRepeated: true,
        isElsewhere: true,
        isKept: true,
        steps: [{ calls: [look] }, { says: "At 9:40." }],
      },
      { asks: "Thanks.", steps: [{ says: "You are welcome." }] },
    ],
  },
  {
    name: "a chat that another process goes on with is one session",
    memories: { ann: [flight] },
    questions: [
      { asks: "Hello.", steps: [{ says: "Hello." }] },
      { asks: question, isElsewhere: true, steps: [{ says: "At 9:40." }], shows: [flight] },
      { asks: "Thanks.", isElsewhere: true, isStreamed: true, steps: [{ says: "You are welcome." }] },
    ],
  },
  {
    name: "who says the same again in another process is kept again",
    memories: { ann: [flight] },
    questions: [
      { asks: "Thanks.", steps: [{ says: "You are welcome." }] },
      { asks: "Thanks.", isElsewhere: true, steps: [{ says: "You are welcome." }] },
    ],
  },
  {
    name: "a lost answer that comes out otherwise is kept beside the first",
    memories: { ann: [flight] },
    questions: [
      { asks: question, steps: [{ says: "At 9:40." }] },
      { asks: question, isRepeated: true, isKept: true, steps: [{ says: "On Friday." }] },
    ],
  },
];
