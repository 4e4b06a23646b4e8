import type { StatementPattern } from "./statement-pattern.ts";

/** What has been decided. */
export const decisionPatterns: readonly StatementPattern[] = [
  {
    name: "decided",
    kind: "semantic",
    category: "decision",
    isLasting: true,
    phrases: [
      "i|we|they ?have ?just|now decided|agreed|chose|chosen|picked|settled|voted",
      "it|that was decided",
      "go|going|went with #word",
      "#word|#name|#number|#date it is $",
      "let us|it keep|call|use|stick|stay|do|say|leave|take|meet|have|switch|move|name",
      "i|we will go",
      "we|i are|am going with",
      "i|we would like to switch|change|go|move back to #word",
      "i|we would like to switch to #word",
      "take|pick the #word",
      "^ ?so|then|ok it is going to be a|an|the #word",
    ],
    examples: ["we decided on Vue", "DJ it is", "let's keep Mondays", "we go with the first"],
    counterExamples: ["it is late", "we are going home"],
  },
  {
    name: "changes of plans",
    kind: "semantic",
    category: "decision",
    phrases: [
      "stays|remains ?in|at|on|off|as #word",
      "^ ?and|but|so|no the|my|our #word ?#word stays|stay|remains|remain ?in $",
      "becomes|replaces|replaced #word",
      "is|are|was|were ?now cancelled|canceled|postponed|dropped|out|gone|history|retired|excluded",
      "slips|slipped|moved|moves|pushed to",
      "moved|moves|shifted|shifts|postponed|rescheduled|delayed|pushed ?back ?forward from|to|until|till|by ... #number|#date",
      "cut|raised|lowered|increased|reduced|changed to",
      "make it|that #word",
      "drop|dropped #word",
      "fall back to",
      "due|expires|expire|starts|opens|closes|ends|begins ?back ?to|on|in|at|by|from",
    ],
    examples: ["launch slips to 15 June", "mobile is cancelled", "the exhibition opens on 2 October", "make it 7"],
    counterExamples: ["I stay here", "that makes sense"],
  },
];
