import { answersWith, type ModelAnswer } from "@loci/model-endpoint/testing";

/** A chat completion that says this. */
export function says(text: string, finishReason = "stop"): ModelAnswer {
  return answersWith({
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: finishReason }],
    usage: { prompt_tokens: 120, completion_tokens: 30, prompt_tokens_details: { cached_tokens: 20 } },
  });
}
