import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { Conversation } from "@loci/agent";

/** What is known of a call besides what is said in it. */
export type ModelCall = Pick<LanguageModelV4CallOptions, "providerOptions" | "headers">;

/** The name under which the options of a call say who speaks. */
const optionsName = "loci";

/** Who speaks, by `providerOptions.loci` of a call. Those of its messages may come from a browser, and are not looked at. */
export function conversationOfCall({ providerOptions }: ModelCall): Conversation | undefined {
  return providerOptions?.[optionsName] as Conversation | undefined;
}

/** The options of a call without what is meant for Loci alone. */
export function withoutConversation(call: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  if (call.providerOptions?.[optionsName] === undefined) return call;
  const others = Object.entries(call.providerOptions).filter(([name]) => name !== optionsName);
  return { ...call, providerOptions: Object.fromEntries(others) };
}
