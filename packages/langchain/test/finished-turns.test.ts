import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { finishedTurns } from "../src/finished-turns.ts";

const summary = new HumanMessage({
  content: "Here is a summary of the conversation: They spoke of ferries.",
  additional_kwargs: { lc_source: "summarization" },
});
const call = new AIMessage({ content: "", name: "model", tool_calls: [{ id: "call-1", name: "timetable", args: {} }] });
const result = new ToolMessage({ content: "At nine.", tool_call_id: "call-1", name: "timetable" });
const answer = new AIMessage({ content: "At nine.", name: "model" });

test("a run is what the user said last and all that followed", () => {
  const earlier = [new HumanMessage("Hello."), new AIMessage("Hello.")];
  const question = new HumanMessage({ content: "When?", name: "ann" });
  expect(finishedTurns([...earlier, question, call, result, answer])).toEqual({
    position: 2,
    question: "When?",
    turns: [
      { role: "user", content: "When?", name: "ann" },
      {
        role: "assistant",
        content: "",
        toolCalls: [{ id: "call-1", type: "function", function: { name: "timetable", arguments: "{}" } }],
      },
      { role: "tool", content: "At nine.", name: "timetable", toolCallId: "call-1" },
      { role: "assistant", content: "At nine." },
    ],
    before: [
      { role: "user", content: "Hello." },
      { role: "assistant", content: "Hello." },
    ],
  });
});

test.each<[string, BaseMessage[]]>([
  ["it has no answer", [new HumanMessage("When?")]],
  ["a tool is still to be called", [new HumanMessage("When?"), call]],
  ["nobody asked", [answer]],
  ["its question was summarised away", [summary, call, result, answer]],
  ["there is nothing", []],
])("there is no finished run where %s", (_, messages) => {
  expect(finishedTurns(messages)).toBeUndefined();
});

test("instructions and summaries are nobody's words", () => {
  const messages = [summary, new HumanMessage("When?"), new SystemMessage("Be short."), answer];
  const run = finishedTurns(messages);
  expect(run?.turns.map(({ content }) => content)).toEqual(["When?", "At nine."]);
  expect(run?.before).toEqual([]);
});
