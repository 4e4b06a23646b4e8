import { replyLimits } from "@loci/core";
import type { ReplySchema } from "@loci/language-model";

type Schema = Readonly<Record<string, unknown>>;

/** An object with exactly these fields, as servers with strict schemas demand. */
function exactly(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: "object", additionalProperties: false, required: Object.keys(properties), properties };
}

function listOf(items: Schema, description: string): Schema {
  return { type: "array", items, description };
}

const text: Schema = { type: "string" };
const textOrNull: Schema = { type: ["string", "null"] };
const whole: Schema = { type: "integer" };

/** What a model that finds candidates is asked for. Reasoning comes first, so that it comes before what it is for. */
export const candidatesSchema: ReplySchema = {
  name: "capture_candidates",
  schema: exactly({
    candidates: listOf(
      exactly({
        reasoning: { ...text, description: "Why it is worth remembering." },
        category: { type: "string", enum: ["fact", "preference", "decision", "entity", "procedure"] },
        text: { ...text, description: `One statement in the third person, at most ${replyLimits.text} characters.` },
        slot: { ...textOrNull, description: "What it is the value of, such as home, in lower case." },
        value: { ...textOrNull, description: "The value, in words of the text." },
        tags: listOf(text, `At most ${replyLimits.tags}.`),
        dates: listOf(exactly({ text, date: { ...text, description: "yyyy-mm-dd" } }), "Days that the turns name."),
        evidence: listOf(exactly({ turn: whole, quote: text }), `1 to ${replyLimits.evidence} quotes, word for word.`),
      }),
      `At most ${replyLimits.candidates}.`,
    ),
  }),
};

/** What a model that judges candidates is asked for. */
export const decisionsSchema: ReplySchema = {
  name: "capture_decisions",
  schema: exactly({
    decisions: listOf(
      exactly({
        reasoning: text,
        candidate: { ...whole, description: "The number of the candidate, from 0." },
        decision: { type: "string", enum: ["ADD", "UPDATE", "DELETE", "NOOP"] },
        target: { type: ["integer", "null"], description: "The number of a memory listed for it. null for ADD." },
        confidence: { type: "number", description: "0 to 1." },
      }),
      "One for each candidate.",
    ),
  }),
};
