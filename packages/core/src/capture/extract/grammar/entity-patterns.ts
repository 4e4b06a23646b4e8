import type { StatementPattern } from "./statement-pattern.ts";

/** Who does what, and who is who. */
export const entityPatterns: readonly StatementPattern[] = [
  {
    name: "who is responsible",
    kind: "semantic",
    category: "entity",
    phrases: [
      "#name|@someone|i ?now|still|also owns|leads|maintains|manages|runs|hosts|reviews|handles|teaches|founded|did|does|approves|supplies|coordinates|supervises|oversees|audits|delivers|edits|translates|designs",
      "#name|#word took|takes|taking over",
      "#name joins|joined|left|leaves|retired|stands",
      "#name|i|we ?have|has ?just handed|passed|transferred ... to #name",
      "#name is|was ?now ?the|my|our|in|on|a #word",
      "my|our|the|his|her #word|@relation is ?now ?called|named #name",
      "#word|#name from legal|sales|finance|marketing|engineering|support|design|qa",
      "by|with #name $",
    ],
    examples: [
      "Dana owns the gateway",
      "Kasia approves schema changes",
      "then Yuki took over",
      "my boss is now Birgit",
    ],
    counterExamples: ["it runs fine", "the car is new"],
  },
  {
    name: "name of the speaker",
    kind: "semantic",
    category: "entity",
    phrases: [
      "my name is #word",
      "my ?full|first|last|real|family name #name",
      "call me #word",
      "i am #name",
      "this is #name",
      "just #name $",
      "name is #name",
      "i am not ... #name",
      "^ ?oh please #name $",
    ],
    isStanding: true,
    examples: ["my name is Lina", "I'm Hugo", "please just Agnes"],
    counterExamples: ["I am tired", "the name is taken"],
  },
];
