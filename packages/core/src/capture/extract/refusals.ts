import type { CaptureReason } from "@loci/domain";

/** A way in which people say something that is not worth remembering. */
export interface RefusalPattern {
  readonly name: string;
  readonly reason: CaptureReason;
  readonly phrases: readonly string[];
  /** Holds for the whole sentence, not only for the clause it stands in. */
  readonly isForSentence?: boolean;
  /** Does not hold for a clause with a word such as `since` or `moved`: what it tells lasts. */
  readonly yieldsToLasting?: boolean;
  readonly examples: readonly string[];
  readonly counterExamples: readonly string[];
}

/** In the order in which they are looked for. */
export const refusalPatterns: readonly RefusalPattern[] = [
  {
    name: "question by its order",
    reason: "QUESTION",
    phrases: [
      "^ ?and|but|so|also|oh|ok|okay|well who|whom|whose|where|why|how|which #word", "^ ?and|but|so|also|oh|ok|okay is|are|was|were|do|does|did|has|have i|we|you|he|she|it|they|that|this|there|the|my|our|anyone|#name", "^ ?and|but|so should|shall|could|would|will|can|may i|we|it|they|he|she|the", "^ ?and|but|so|also|oh|ok|okay|well what is|are|was|do|does|did|about|if|can|could|should|would|kind|time", "i wonder|wondering|wondered", "^ any idea|chance", "tell me what|how|why", "what do you think", "your opinion",
    ],
    examples: ["does it support that", "what's on today", "should we drop it"],
    counterExamples: ["what a day", "we do what we can"],
  },
  {
    name: "only supposed",
    reason: "HYPOTHETICAL",
    isForSentence: true,
    phrases: [
      "if i|we were|had|could|won", "if it|he|she|they were|had", "if we kept", "if i|we get #word", "imagine|suppose|supposing|hypothetically #word", "what if", "either ... or", "would it|this|that #word", "i|we might|may|could #word", "might|maybe|perhaps ?we|i|it $", "^ ?hm|hmm maybe|perhaps", "maybe $", "thinking of|about|aloud", "think about it", "let me|us think", "wondering|wonder whether|if", "at some point", "some day", "one day", "not sure", "not decided|deciding", "in theory",
    ],
    examples: ["if we had to support that one day", "I might switch the topic", "imagine it rains"],
    counterExamples: ["if partner 9 is late we load without them", "it would be nice"],
  },
  {
    name: "someone else's words",
    reason: "QUOTED",
    phrases: [
      "@someone ?always|just|never said|says|say|thinks|think|thought|claims|told|believes|suggests|suggested|wrote|writes|shouted|insists|asked", "#name said|says|thinks|thought|claims|told|believes|suggests|suggested|wrote", "as they|the say|says|saying|said ?goes", "as the saying goes", "used to shout|say", "according to", "i read|heard that", 
    ],
    examples: ["my colleague says it is easy", "as they say", "my neighbour thinks so"],
    counterExamples: ["the test says I am allergic", "I say no"],
  },
  {
    name: "only for now",
    reason: "TRANSIENT",
    phrases: [
      "right now", "at the moment", "for now", "just|only for|this today|tonight|once|time", "today|tonight|tomorrow|yesterday", "this|last morning|afternoon|evening|night|weekend|time", "this week|month only|$", "a sec|second|moment|minute", "just now", "brb|back soon", "these days only", "@transient $", "i am|was ?just ?still|already looking|going|leaving|off|back|checking|trying|waiting|reading|thinking|working|driving|writing|in|tired|hungry|bored|sick|busy|late|kidding|joking|here|ready|done|afraid|sure|glad|sorry|happy|sad",
      "going to|got to eat|sleep|go|run|leave|need|celebrate", "i will look|check|see|try|do|think|be|poke|let|ask|wait|read|dictate", "let me look|see|check|think|know", "i need|want ?only to|a|an|some|you|help|your|those|these|this", "^ ?ok|okay|oh i saw|read|got|found|tried|noticed|forgot|wanted|asked|bet|guess|think|hope|assume|know|see|mean", "we need to talk", "i|we just #word", "pick up where", "are|is red|broken|down|failing|green|late|cold|back ?again|$", "works|worked|fixed|done|rotated|added|merged|merging|updating|booked|logged $", "hurts", "again $", "till|until tomorrow", "till|until|by|next @weekday", "@weekday after work", "this year|week|time ?please",
    ],
    examples: ["I'm looking at the log right now", "long version just for tonight", "I need an icon button", "let me look"],
    counterExamples: ["we deploy on Fridays", "I live in Oslo now"],
  },
  {
    name: "what just happens or has happened",
    reason: "TRANSIENT",
    yieldsToLasting: true,
    phrases: [
      "i|we|you am|are|was|were ?just|still|already|also|not #ing", "^ ?and|but|so|ok|then|also|oh|well|yes ?just|only|even @happened", "i|we ?just|only|also|then|even|did ?not @happened", "i|we|my|it|that ?#word @feel", "^ @feel", "a bit|little @feel",
      "he|she|they ?just|only|also|then|even|did ?not @happened", "i|we will ?just|then|now|also @verb", "i am|was so|really|very|too|pretty|quite #word", "is|are broken|empty|slow|stuck|full|acting|loose|noisy",
      "so far", "not yet", "on my way", "hold on", "on @weekday $", "slept badly|well|fine",
    ],
    examples: ["we are waiting for the bus", "slept badly", "I walked to the lake", "my knee hurts a bit"],
    counterExamples: ["we meet on Mondays", "I live near a building"],
  },
  {
    name: "small talk",
    reason: "FILLER",
    phrases: ["^ no|yes wait|idea|problem|need|worries", "^ @mood $", "^ @mood @mood $", "^ @mood @mood @mood $", "thank|thanks you|for|a #word", "^ ?ok|okay|alright|great|good|perfect ?then $", "good morning|night|evening|day|afternoon|luck", "see you|friday|monday|thursday|then|tomorrow", "you are|were|sound ?very|the|a|like|welcome", "makes|make sense", "looks|sounds good|great|fine|right", "i know ?that $", "that is|was|sounds ?so|very|really @mood", "sad but", "never mind", "do|does not matter", "as you like", "ship it", "forget it", "what a|the #word", "^ let it|us see", "stupid me", "no problem", "did|do not ask $", "i do not know", "no idea", "cute|nice|good|great one|idea|job|work|point|catch"],
    examples: ["thank you so much", "see you thursday", "looks good", "perfect, thanks"],
    counterExamples: ["we see a doctor", "the good plates are blue"],
  },
  {
    name: "without a thing",
    reason: "VAGUE",
    phrases: ["nobody|nothing told|knows|cares|helps|works|noticed|happened|happens|answered|came|is|was|else", "somewhere|somehow|sometime|whatever $", "everything|something|anything ... sounds|seems|looks|is"],
    examples: ["I have a card somewhere", "everything I think of sounds boring"],
    counterExamples: ["somewhere near Oslo we meet"],
  },
  {
    name: "plain to everybody",
    reason: "OBVIOUS",
    phrases: ["^ obviously|naturally", "of course $", "obviously $", "because that is where", "as everybody|everyone knows", "water is wet"],
    examples: ["because that's where the money is, obviously", "of course"],
    counterExamples: ["the obvious one is red"],
  },
];

/** Which take back or put out of the record what was said before. */
export const withdrawals: readonly string[] = [
  "not write that|this|it", "do not write|store|save|remember|keep|record that|this|it", "off the record", "between us", "forget that|it|this", "scratch that", "joking about", "just|only kidding|joking", "strike that", "i take that|it back", "keep that|this private|secret",
];

/** Which say that something said before is different now: of one thing the last word counts. */
export const revisions: readonly string[] = ["actually", "make it|the|that", "you know what", "no wait", "on second thought", "changed my mind", "rather #number|make", "i meant", "sorry ?i ?meant", "correction", "wait no", "^ ?no not #word"];
