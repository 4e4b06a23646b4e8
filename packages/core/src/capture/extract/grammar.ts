import type { CandidateKind } from "@loci/domain";

/** A way in which people say something that is worth remembering. */
export interface StatementPattern {
  /** Unique, for reports of tests. */
  readonly name: string;
  readonly kind: CandidateKind;
  readonly category: "fact" | "preference" | "decision" | "entity" | "procedure";
  /** As `phrases.ts` reads it. Any of them will do. */
  readonly phrases: readonly string[];
  /** Says so surely what holds from now on that words for the moment (`today`) change nothing. */
  readonly isStanding?: boolean;
  /** Lasts, though it is told with words such as `yesterday`. */
  readonly isLasting?: boolean;
  readonly examples: readonly string[];
  readonly counterExamples: readonly string[];
}

/** How the assistant is to behave: rules, orders without an end, corrections. Looked for first. */
export const procedurePatterns: readonly StatementPattern[] = [
  {
    name: "from now on",
    kind: "instinct",
    category: "procedure",
    phrases: ["from now on", "going forward", "in future|general", "in the future", "every|each time", "do that|this every|each|always", "as a rule", "by default", "for the future", "once and for all", "as always|usual", "^ ?and|but|also if|when|whenever ... we|you|then|please ?do ?not @verb"],
    isStanding: true,
    examples: ["use the new form from now on", "open a request every time"],
    counterExamples: ["from May on it is closed", "the time is five"],
  },
  {
    name: "rule by its name",
    kind: "instinct",
    category: "procedure",
    phrases: ["^ ?the|a|our|new|another|house rule|lesson|policy|style|standard|convention", "that is ?a|the|our|company|house|team rule|policy|standard|convention", "rule for|of|is", "no exceptions", "lesson learned"],
    isStanding: true,
    examples: ["rule for fixtures: prices in cents", "nobody lifts that alone, that's a rule", "lesson: one pool per process"],
    counterExamples: ["the lessons are long", "I rule the kitchen"],
  },
  {
    name: "always or never",
    kind: "instinct",
    category: "procedure",
    phrases: ["^ ?and|but|so|please|also|just always|never #word", "always|never @verb", "must|should|may|shall|can not|never|always ?be #word", "nobody|nothing @verb", "nobody|nothing #word", "do not ever"],
    examples: ["never push on a Friday", "quotes always go out as PDF", "reports must never leave the house", "nobody carries boxes"],
    counterExamples: ["I never saw that", "it was always there", "it is nothing"],
  },
  {
    name: "please not",
    kind: "instinct",
    category: "procedure",
    phrases: ["^ ?and|but|so|also|please|just|no|then|oh ?please do not @verb|touch|bother", "stop #word", "no more #word", "^ ?and|but|also|please|so no #word #word ?#word ?#word $", "^ and|but|also|please no #word", "please no", "^ ?and|but|also nothing #word", "can|could|would you ... not @verb", "can|could|would you ?please stop", "^ not #word"],
    examples: ["please don't call the landline", "stop adding emojis", "no more long intros", "and no runs after 8"],
    counterExamples: ["I don't know", "no idea what this means for the rest of us"],
  },
  {
    name: "only",
    kind: "instinct",
    category: "procedure",
    phrases: ["^ ?and|but|also|please|so only #word", "@verb only", "only @verb", "only when|if|after|before|in|at|on|with|for|between", "#word|#name only $", "#word only please"],
    examples: ["please only after 4 pm", "invite Nils only when it is about money", "service only on Sundays"],
    counterExamples: ["I am the only one", "it's only rain"],
  },
  {
    name: "before or after doing",
    kind: "instinct",
    category: "procedure",
    phrases: ["before you #word", "after you #word", "when|whenever you #word", "when|whenever i ask", "ask ?me first", "ask before", "always ... first", "without asking", "without my|our ok|okay|consent|approval|permission", "unless i|we #word", "by yourself", "on your own"],
    examples: ["ask me before you book", "nothing leaves without my ok", "don't touch it by yourself"],
    counterExamples: ["after the meeting I eat", "the day before was fine"],
  },
  {
    name: "must",
    kind: "instinct",
    category: "procedure",
    phrases: ["must|shall ?not ?be|have #word", "have|has|needs to be #word", "there has|have to be", "is|are required", "is|are not allowed", "is|are forbidden", "must #word", "should ?always|never be #word"],
    examples: ["the label must be there", "it has to be labelled"],
    counterExamples: ["I have to go", "there is a must"],
  },
  {
    name: "manner of the answer",
    kind: "instinct",
    category: "procedure",
    phrases: [
      "one thing|step|question|point at a time", "keep it #word", "keep #word|that|this|them short|brief|simple|formal|casual|up", "keep doing", "talk|speak|write|answer|reply|respond|explain ... in", "talk|speak to me",
      "give|send|show me only|always|just|never", "give me #name|docx|pdf|markdown|numbers|examples", "call|text|message|mail|email|ring|remind|send|tell|show me ... not|instead|with|every|before", "read it aloud", "use my|the|our|british|american|metric|plain|simple",
    ],
    examples: ["one thing at a time please", "keep it short", "give me docx", "remind me with a text message"],
    counterExamples: ["I gave him a book", "that keeps me busy"],
  },
  {
    name: "not this but that",
    kind: "instinct",
    category: "procedure",
    phrases: ["not #word but #word", "#word instead of #word", "instead of #word", "#word rather than #word", "^ ?and|but #word|#name not #word|#name $", "$ not #word", "as|with|by #word not #word", "use #word"],
    examples: ["weights, not cups", "numbers instead of diagrams", "use pnpm there"],
    counterExamples: ["instead it rained", "we did not"],
  },
  {
    name: "exceptions and limits",
    kind: "instinct",
    category: "procedure",
    phrases: ["unless it|they|there is|are", "or it|they does|do not", "at most #number|one", "at least #number|one", "#number ?#word max|maximum|minimum|tops|latest", "max|maximum|min|minimum|under|below|above|up #number", "no|not more|less|later|earlier than", "not before|after|above|below|over|under #word", "never before|after|earlier|later", "#number|one|two per #word", "^ ?and|but #number ... a week|day|month"],
    examples: ["650 words max", "under 300 pages", "two per process", "never before 9"],
    counterExamples: ["at most it is a pity", "it is under the table"],
  },
];

/** What people like, want and are used to. */
export const preferencePatterns: readonly StatementPattern[] = [
  {
    name: "likes and dislikes",
    kind: "semantic",
    category: "preference",
    phrases: [
      "i|we|she|he|they ?really|just|also|still|would|do|does ?not like|love|hate|prefer|enjoy|adore|dislike|detest|loves|likes|hates|prefers|enjoys #word", "would rather", "rather #word than",
      "works better for|with me", "works|work better|best", "#word is|are better for", "can not stand", "fan of", "favourite|favorite #word", "my preference", "the #word the better", "had enough", "hated|loved it|the|that",
    ],
    examples: ["I really like short tables", "numbers work better for me", "we'd rather fly"],
    counterExamples: ["it looks like rain", "would you like tea"],
  },
  {
    name: "wants for good",
    kind: "semantic",
    category: "preference",
    phrases: ["i|we want ... every|once|instead|always|only", "i|we need ... by|before|under|below|at|in", "^ and|but|also|always|the #word ?#word ?#word please", "is|are plenty|enough|fine|welcome", "if|when|where possible", "would|is be ?super|very useful|nice|good|great"],
    examples: ["I want service once a year", "and window please", "monthly is plenty"],
    counterExamples: ["I want to sleep", "is that possible"],
  },
  {
    name: "does by habit",
    kind: "semantic",
    category: "preference",
    phrases: ["i|we|she|he always|usually|normally|typically|mostly|only #word", "i|we|she|he|they eat|drink|travel|commute|eats|drinks|smoke #word", "i|we|she|he always|usually|normally|typically #word", "i|we ... every|each day|week|month|year|evening|morning|night|summer|winter|time|#date", "i|we ... on @weekdays", "she|he|#name takes|eats|drinks|goes|likes|sleeps|wakes #word"],
    examples: ["I always pay with the blue card", "we do this trip every month"],
    counterExamples: ["I went home", "always the same story"],
  },
];

/** What has been decided. */
export const decisionPatterns: readonly StatementPattern[] = [
  {
    name: "decided",
    kind: "semantic",
    category: "decision",
    isLasting: true,
    phrases: ["i|we|they ?have ?just|now decided|agreed|chose|chosen|picked|settled|voted", "it|that was decided", "go|going|went with #word", "#word|#name|#number|#date it is $", "let us|it keep|call|use|stick|stay|do|say|leave|take|meet|have|switch|move|name", "i|we will go", "we|i are|am going with", "take|pick the #word"],
    examples: ["we decided on Vue", "DJ it is", "let's keep Mondays", "we go with the first"],
    counterExamples: ["it is late", "we are going home"],
  },
  {
    name: "changes of plans",
    kind: "semantic",
    category: "decision",
    phrases: ["stays|remains ?in|at|on|off|as #word", "becomes|replaces|replaced #word", "is|are|was|were ?now cancelled|canceled|postponed|dropped|out|gone|history|retired|excluded", "slips|slipped|moved|moves|pushed to", "cut|raised|lowered|increased|reduced|changed to", "make it|that|the #word", "drop|dropped #word", "fall back to", "due|expires|starts|opens|closes|ends|begins ?back ?to|on|in|at|by|from"],
    examples: ["launch slips to 15 June", "mobile is cancelled", "the exhibition opens on 2 October", "make it 7"],
    counterExamples: ["I stay here", "that makes sense"],
  },
];

/** Who does what, and who is who. */
export const entityPatterns: readonly StatementPattern[] = [
  {
    name: "who is responsible",
    kind: "semantic",
    category: "entity",
    phrases: ["#name|@someone|i ?now|still|also owns|leads|maintains|manages|runs|hosts|reviews|handles|teaches|founded|did|does", "#name|#word took|takes|taking over", "#name joins|joined|left|leaves|retired|stands", "#name is|was ?now ?the|my|our|in|on|a #word", "my|our|the|his|her #word|@relation is ?now ?called|named #name", "#word|#name from legal|sales|finance|marketing|engineering|support|design|qa", "by|with #name $"],
    examples: ["Dana owns the gateway", "then Yuki took over", "my boss is now Birgit"],
    counterExamples: ["it runs fine", "the car is new"],
  },
  {
    name: "name of the speaker",
    kind: "semantic",
    category: "entity",
    phrases: ["my name is #word", "call me #word", "i am #name", "this is #name", "just #name $", "name is #name", "i am not ... #name", "^ ?oh please #name $"],
    isStanding: true,
    examples: ["my name is Lina", "I'm Hugo", "please just Agnes"],
    counterExamples: ["I am tired", "the name is taken"],
  },
];

/** What is so. */
export const factPatterns: readonly StatementPattern[] = [
  {
    name: "about the speaker",
    kind: "semantic",
    category: "fact",
    phrases: [
      "i|we am|are|was|have|had|been ?been ?a|an|the|in|on|at|from|allergic|born|married|engaged #word", "i|we ?also|now|just|only|still live|work|moved|teach|study|drive|speak|play|own|knit|run|learn|travel|commute|use|start|started|joined|left|switched|sold|bought|quit|passed|rent|grew|went|develop", "my #word|@relation ?also|now|just|only|still live|lives|work|works|moved|teach|teaches|study|studies|drive|drives|speak|speaks|play|plays|own|owns|knit|run|runs|learn|travel|commute|use|uses|start|started|joined|left|switched|sold|bought|quit|passed|rent|grew|went|developed|develop",
      "my|our|his|her|their ?old|new|elder|younger|little|big|own|favourite #word ?#word is|are|was|were|has|have|had|does|do|wants|pays|lives|works|takes|moved|died|changed|needs|turned|turns|starts|reads|comes|mean|runs|goes|birthday", "my|our @relation", "allergic to", "i|we am|are #number|@habit", "i|we will|shall be|have|call|start|need", "i ?keep|kept mixing|forgetting", "i|we have|own|use|run|had|got ?a|an|the|two|no|#number #word", "i used to",
    ],
    examples: ["I'm a nurse on the ward", "we moved to the new office", "my sister's birthday is 9 May", "I play the viola", "we have enterprise"],
    counterExamples: ["it is raining", "the door was open"],
  },
  {
    name: "something with a number, a date or a name",
    kind: "semantic",
    category: "fact",
    phrases: [
      "#word|#name|#number is|are|was|were|has|have|runs|run|takes|costs|weighs|needs|need|opens|closes|comes|come|starts|start|begins|ends|goes|go|says|fits|lives|expires|supports|uses|use|lies|sits|contains|meets|meet|pays|launches|lasts|keeps|gets|counts|counts|delivers|deliver|require|requires|pin|works|turns|moves ... #number|#date|#name", "^ ?the|our|my|a #word ?#word #number|#date", "since|until|till|by|from|between|before|after #number|#date|#name", "on|in|at|every|by #date", "at #number", "#number @habit|percent|%|hours|minutes|days|weeks|months|years|people|students|guests|pages|words|kilos|kg|km|euros|grams|rooms|units|working|kb|mb|gb|times", "every|each ?second|other|two|three #number|#date|day|week|month|year|evening|morning|night",
    ],
    examples: ["stand-up is at 9:15", "the print shop needs 12 working days", "keys on 4 May", "sizes are 24, 32 and 40"],
    counterExamples: ["it is late", "the door is open"],
  },
  {
    name: "what is the case with a thing",
    kind: "semantic",
    category: "fact",
    phrases: [
      "the|our|my|all|this|these|each|every|half|both #word ?#word ?of ?the ?#word is|are|has|have|does|do|can|must|need|needs|brings|goes|go|lives|uses|use|stays|runs|works|owns|keeps|insisted|brings|matters|freezes|scratches", "#name is|are|has|have|does|do|gets|eats|lives|works|likes|loves|drinks|hates|wants", "it is ?a|an|the|now|our #word", "there is|are ?a|an|no|only|always #word", "she|he|they is|are|has|have|does|do|gets|eats|likes|loves|wants|reads|takes|needs|lives|works ?not #word", "we|i ?do ?not transliterate|pin|store|keep|use|use|do|merge|ship|build|test|log|send|support|wait|deliver|host|deploy|run|load|call",
    ],
    examples: ["half the catalogue is Czech", "she has a key", "our product names have accents", "Leo is vegan"],
    counterExamples: ["oh well", "not much"],
  },
  {
    name: "what changed",
    kind: "semantic",
    category: "fact",
    isLasting: true,
    phrases: ["no longer #word", "not|no ... any more", "used to #word", "now #word|#name $", "since #word #word", "switched|moved|migrated|changed|went ?over to", "switched|changed #word", "it|they is|are ... now", "is|are gone|dead|over|history", "#word died|retired|left|closed", "left|quit|sold|cancelled|canceled #word", "new address|number|phone|name|job|boss|manager|plan|deadline|limit|office|place|flat|house|car|budget|date is", "will be #word", "#word instead $"],
    examples: ["we moved to postgres 17", "our cat died in March", "I left Brightwave", "it's Chicago style now"],
    counterExamples: ["it is fine", "what now"],
  },
];

/** All statements, in the order in which they are looked for. */
export const statementPatterns: readonly StatementPattern[] = [
  ...procedurePatterns,
  ...entityPatterns,
  ...preferencePatterns,
  ...decisionPatterns,
  ...factPatterns,
];
