import type { StatementPattern } from "./statement-pattern.ts";

const lead = "^ ?and|but|so|also|well|hi|hello|hey|btw|oh|yes|no";

/** What people say of themselves in as few words as there are. */
export const plainPatterns: readonly StatementPattern[] = [
  {
    name: "what somebody is, has and does",
    kind: "semantic",
    category: "fact",
    isEnough: true,
    phrases: [
      `${lead} i am ?now a|an ?#word ?#word @occupation ?too|now|again $`,
      `${lead} i|we have|own ?got a|an|no|two|three|four|#number ?new|old|small|little|big|young @possession|@kin $`,
      `${lead} i have ?got ?mild|severe|chronic @condition ?too $`,
      `${lead} i smoke|vape $`,
      `${lead} i do not ?really|even|ever drink|eat ?any alcohol|beer|bread|cheese|coffee|dairy|eggs|fish|meat|milk|pork|sugar|tea|wine $`,
      `${lead} i do not ?really|even|ever drink|smoke|drive|cook|swim|vote $`,
      `${lead} i can not cook|dance|drive|draw|read|sing|ski|skate|swim|type|whistle|write|knit|sew|juggle $`,
    ],
    examples: [
      "I'm a nurse",
      "I have a dog",
      "we have a garden",
      "I have diabetes",
      "I have two sons",
      "I smoke",
      "I don't drink",
      "I can't swim",
    ],
    counterExamples: ["I have a question", "I'm a mess", "I can't sleep", "I don't know", "I have an idea"],
  },
];
