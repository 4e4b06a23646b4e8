import type { ToldConversation } from "../told-conversation.ts";

const flight = "The flight to Oslo leaves on Friday at 9:40.";
const question = "When does my flight to Oslo leave?";
const look = { id: "call-1", tool: "timetable", input: { to: "Oslo" }, returns: "At 9:40." };

/** What fails, and what is stopped: nothing is kept of it. */
export const failingConversations: readonly ToldConversation[] = [
  {
    name: "a model that fails leaves nothing",
    memories: { ann: [flight] },
    questions: [{ asks: question, steps: [{ fails: "The model is overloaded." }], ends: "failed" }],
  },
  {
    name: "a model that fails in the middle of a stream leaves nothing",
    memories: { ann: [flight] },
    questions: [
      { asks: question, isStreamed: true, steps: [{ says: "At nine ", fails: "The line is cut." }], ends: "failed" },
    ],
  },
  {
    name: "a model that fails after a tool has answered leaves nothing",
    memories: { ann: [flight] },
    questions: [{ asks: question, steps: [{ calls: [look] }, { fails: "The model is overloaded." }], ends: "failed" }],
  },
  {
    name: "who asks again after a failure is shown the same, and kept once",
    memories: { ann: [flight] },
    questions: [
      { asks: question, steps: [{ fails: "The model is overloaded." }], ends: "failed" },
      { asks: question, steps: [{ says: "At 9:40." }], recalls: 0, shows: [flight] },
    ],
  },
  {
    name: "who stops an answer leaves nothing",
    memories: { ann: [flight] },
    questions: [{ asks: question, isStreamed: true, steps: [{ says: "At nine ", isStopped: true }], ends: "stopped" }],
  },
  {
    name: "who stops before anything is said leaves nothing",
    memories: { ann: [flight] },
    questions: [{ asks: question, steps: [{ isStopped: true }], ends: "stopped" }],
  },
  {
    name: "who stops after a tool has answered leaves nothing",
    memories: { ann: [flight] },
    questions: [
      {
        asks: question,
        isStreamed: true,
        steps: [{ calls: [look] }, { says: "At ", isStopped: true }],
        ends: "stopped",
      },
    ],
  },
  {
    name: "who asks something else after stopping is kept with that alone",
    memories: { ann: [flight] },
    questions: [
      { asks: "Tell me a story.", isStreamed: true, steps: [{ says: "Once ", isStopped: true }], ends: "stopped" },
      { asks: question, isStreamed: true, steps: [{ says: "At 9:40." }], shows: [flight] },
    ],
  },
  {
    name: "a Loci that is silent is not waited for",
    memories: { ann: [flight] },
    questions: [{ asks: question, loci: "silent", steps: [{ calls: [look] }, { says: "At 9:40." }] }],
  },
  {
    name: "a Loci that cannot recall is gone on without",
    memories: { ann: [flight] },
    questions: [{ asks: question, loci: "fails to recall", isStreamed: true, steps: [{ says: "I do not know." }] }],
  },
  {
    name: "where memory is required the model is not called without",
    memories: { ann: [flight] },
    questions: [
      { asks: question, loci: "fails to recall", isMemoryRequired: true, steps: [{ says: "No." }], ends: "unasked" },
    ],
  },
  {
    name: "a Loci that cannot keep leaves the answer as it is, and the run is kept before the next one",
    memories: { ann: [flight] },
    questions: [
      { asks: "Hello.", loci: "fails to keep", steps: [{ says: "Hello." }] },
      { asks: question, steps: [{ says: "At 9:40." }], shows: [flight] },
    ],
  },
  {
    name: "a Loci that cannot recall is gone on without in all steps, and what is said is kept",
    memories: { ann: [flight] },
    questions: [
      { asks: question, loci: "fails to recall", isStreamed: true, steps: [{ calls: [look] }, { says: "At 9:40." }] },
      { asks: question, steps: [{ says: "At 9:40." }], shows: [flight] },
    ],
  },
  {
    name: "who asks again after stopping a run of tools is kept with what was answered alone",
    memories: { ann: [flight] },
    questions: [
      { asks: question, steps: [{ calls: [look] }, { isStopped: true }], ends: "stopped" },
      { asks: question, steps: [{ calls: [look] }, { says: "At 9:40." }], recalls: 0, shows: [flight] },
    ],
  },
  {
    name: "where nobody says who speaks the model is not called",
    questions: [{ user: null, asks: question, steps: [{ says: "No." }], ends: "unasked", recalls: 0 }],
  },
];
