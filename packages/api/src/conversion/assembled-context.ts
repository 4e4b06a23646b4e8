import type { AssembledContext, AssembledSection, AssemblyWarning, CachePlan, OpenAiMessage } from "@loci/domain";
import type {
  AssembledSection as ProtoAssembledSection,
  AssemblyWarning as ProtoAssemblyWarning,
  CachePlan as ProtoCachePlan,
} from "../gen/loci/v1/context.ts";
import type { AssembleContextResponse } from "../gen/loci/v1/context_service.ts";
import { chatMessagesFromProto, chatMessagesToProto } from "./chat-message.ts";
import { required, withoutUndefined } from "./read-value.ts";
import { receiptFromProto, receiptToProto } from "./receipt.ts";
import { copyUsage } from "./token-usage.ts";

export function assembledContextToProto(context: AssembledContext): AssembleContextResponse {
  return {
    text: context.text,
    messages: chatMessagesToProto(context.messages, "messages"),
    sections: context.sections.map(copySection),
    receipt: receiptToProto(context.receipt),
    usage: copyUsage(context.usage),
    warnings: context.warnings.map(warningToProto),
    cache: cachePlanToProto(context.cache),
    timings: new Map(Object.entries(context.timings)),
    receiptId: context.receiptId,
  };
}

/** @throws LociError of code `INVALID_ARGUMENT`, naming the field, for what no server of this version sends */
export function assembledContextFromProto(response: AssembleContextResponse): AssembledContext {
  return withoutUndefined({
    text: response.text,
    messages: chatMessagesFromProto(response.messages, "messages") as OpenAiMessage[],
    sections: response.sections.map(copySection),
    receipt: receiptFromProto(required(response.receipt, "receipt"), "receipt"),
    usage: copyUsage(required(response.usage, "usage")),
    warnings: response.warnings.map(warningFromProto),
    cache: withoutUndefined(required(response.cache, "cache")),
    timings: Object.fromEntries(response.timings),
    receiptId: response.receiptId,
  });
}

/** The two forms of a section are the same. */
function copySection({ name, content, tokens }: AssembledSection): ProtoAssembledSection {
  return { name, content, tokens };
}

function cachePlanToProto(plan: CachePlan): ProtoCachePlan {
  const { stablePrefixHash, stablePrefixTokens, stablePrefixLength, breakpointAfter } = plan;
  return { stablePrefixHash, stablePrefixTokens, stablePrefixLength, breakpointAfter };
}

function warningToProto({ reason, section, message, advice }: AssemblyWarning): ProtoAssemblyWarning {
  return { reason, section, message, advice };
}

function warningFromProto({ reason, section, message, advice }: ProtoAssemblyWarning): AssemblyWarning {
  return withoutUndefined({ reason: reason as AssemblyWarning["reason"], section, message, advice });
}
