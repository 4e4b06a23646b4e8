// The types of OpenAI's own library, as it documents them: the package itself is not installed here.
import { expectTypeOf, test } from "vitest";
import type { AssembledContext, ChatMessage } from "@loci/domain";

interface TextParameter {
  text: string;
  type: "text";
}

interface ImageParameter {
  image_url: { url: string; detail?: "auto" | "low" | "high" };
  type: "image_url";
}

interface RefusalParameter {
  refusal: string;
  type: "refusal";
}

interface FunctionToolCall {
  id: string;
  function: { arguments: string; name: string };
  type: "function";
}

/** `ChatCompletionMessageParam`, without its deprecated kind of function messages. */
type ChatCompletionMessageParameter =
  | { content: string | TextParameter[]; role: "developer"; name?: string }
  | { content: string | TextParameter[]; role: "system"; name?: string }
  | { content: string | (TextParameter | ImageParameter)[]; role: "user"; name?: string }
  | {
      role: "assistant";
      content?: string | (TextParameter | RefusalParameter)[] | null;
      name?: string;
      refusal?: string | null;
      tool_calls?: FunctionToolCall[];
    }
  | { content: string | TextParameter[]; role: "tool"; tool_call_id: string };

test("the messages of a context are what OpenAI's library takes", () => {
  expectTypeOf<AssembledContext["messages"]>().toExtend<ChatCompletionMessageParameter[]>();
});

test("and what an assembly takes again", () => {
  expectTypeOf<AssembledContext["messages"]>().toExtend<readonly ChatMessage[]>();
});
