import type { StatementPattern } from "./statement-pattern.ts";

/** What people like, want and are used to. */
export const preferencePatterns: readonly StatementPattern[] = [
  {
    name: "likes and dislikes",
    kind: "semantic",
    category: "preference",
    phrases: [
      "i|we|she|he|they ?really|just|also|still|would|do|does ?not like|love|hate|prefer|enjoy|adore|dislike|detest|loves|likes|hates|prefers|enjoys #word",
      "would rather",
      "rather #word than",
      "works better for|with me",
      "works|work better|best",
      "#word is|are better for",
      "can not stand",
      "fan of",
      "favourite|favorite #word",
      "my preference",
      "the #word the better",
      "had enough",
      "hated|loved it|the|that",
    ],
    examples: ["I really like short tables", "numbers work better for me", "we'd rather fly"],
    counterExamples: ["it looks like rain", "would you like tea"],
  },
  {
    name: "wants for good",
    kind: "semantic",
    category: "preference",
    phrases: [
      "i|we want ... every|once|instead|always|only",
      "i|we need ... by|before|under|below|at|in",
      "^ and|but|also|always|the #word ?#word ?#word please",
      "is|are plenty|enough|welcome",
      "is|are fine $|with|for|by|if|when|too|as",
      "if|when|where possible",
      "would|is be ?super|very useful|nice|good|great",
    ],
    examples: ["I want service once a year", "and window please", "monthly is plenty"],
    counterExamples: ["I want to sleep", "is that possible"],
  },
  {
    name: "does by habit",
    kind: "semantic",
    category: "preference",
    phrases: [
      "i|we|she|he always|usually|normally|typically|mostly|only #word",
      "i|we|she|he|they eat|drink|travel|commute|eats|drinks|smoke #word",
      "i|we take my|our|no|the ?#word #word",
      "i|we|she|he always|usually|normally|typically #word",
      "i|we ... every|each day|week|weekend|month|year|evening|morning|night|summer|winter|time|#date",
      "i|we ... on @weekdays",
      "she|he|#name takes|eats|drinks|goes|likes|sleeps|wakes #word",
    ],
    examples: ["I always pay with the blue card", "we do this trip every month"],
    counterExamples: ["I went home", "always the same story"],
  },
];
