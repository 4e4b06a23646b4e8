import type { Saying } from "./saying.ts";

export const english: readonly Saying[] = [
  {
    kind: "decision",
    words: "(?:deadline|due date|budget) (?:is|was moved to|stays)",
    examples: ["The deadline is 2026-12-24, do not miss it.", "Our budget is 4,000 euros.", "The budget stays at 20."],
    counterexamples: ["Is there a deadline?", "We have no budget for that."],
  },
  {
    kind: "decision",
    words: "decided|(?:the|our|my|final) decision (?:is|was|stands)|decision:|made (?:a|the|our|my) decision",
    examples: [
      "We decided to keep sessions in Redis.",
      "It was decided against Kubernetes.",
      "The decision is to ship on Friday.",
      "Decision: no Docker.",
    ],
    counterexamples: [
      "No decision here at all.",
      "We have not decided yet.",
      "Nothing was decided.",
      "I am undecided.",
      "We need a decision by Friday.",
      "Once we have decided, I will tell you.",
    ],
  },
  {
    kind: "decision",
    words: "agreed|(?:we|i|all|both) agree (?:on|to|that)",
    examples: ["Agreed, RFC 7519 it is.", "We agreed on ES256.", "We all agree on Tuesday."],
    counterexamples: [
      "We have never agreed on that.",
      "I do not agree that it is slow.",
      "The terms and the agreement are long.",
    ],
  },
  {
    kind: "decision",
    words:
      "chose|chosen|settled on|opted (?:for|to)|went with|approved|confirmed|(?:i|we)(?: can| hereby)? (?:approve|confirm)",
    examples: [
      "I chose ES256 over RS256.",
      "We settled on PostgreSQL.",
      "They opted for blue.",
      "We went with PyJWT.",
      "Ann approved the budget.",
      "I confirm the booking.",
    ],
    counterexamples: [
      "Confirm receipt of the form.",
      "Steps to confirm the date.",
      "Nobody has approved it.",
      "The budget was not approved.",
      "It has not been confirmed.",
    ],
  },
  {
    kind: "decision",
    words: "go(?:ing)? (?:with|ahead)|(?:let's|let us) (?:use|go|keep|do)(?! (?:through|over|step|into|deeper)\\b)",
    examples: ["Let's go with PyJWT.", "Yes, please go ahead and cancel it.", "Let us keep the old form."],
    counterexamples: [
      "Let's go through it step by step.",
      "Do not go ahead before Monday.",
      "Let's not use Redis for that yet.",
      "The goal is near.",
    ],
  },
  {
    kind: "decision",
    words: "(?:must|should|shall) (?:not|never|always)",
    examples: ["You must never log the token.", "Tests should always run first.", "It shall not be cached."],
    counterexamples: ["It should be fine."],
  },
  {
    kind: "decision",
    words:
      "(?<!(?:what|who|where|how|as|if|whether|that|than|because) )it is(?=[.!]?$)|^(?:booked|paid|ordered|reserved|merged|deployed|signed|sent)(?=[ :,.!])|(?:i|we)(?:'ve| have) (?:now |just |already )?(?:booked|paid|ordered|reserved|merged|deployed|signed|cancelled|canceled)|(?:is|are|was|were) (?:now )?(?:booked|paid|ordered|reserved|merged|deployed|signed|cancelled|canceled)",
    examples: [
      "Casa da Boavista it is.",
      "Booked: two rooms, 630 euros.",
      "I've booked the train at nine.",
      "The invoice was paid on Monday.",
    ],
    counterexamples: ["I don't know what it is.", "The booked room is small.", "Nobody has booked it."],
  },
  {
    kind: "likelyDecision",
    words: "we(?:'ll| will| shall)(?! (?:see|need|find out|know|be|have to)\\b)",
    examples: ["We'll move to Oslo.", "We will deploy on Fridays.", "We shall keep both."],
    counterexamples: ["We'll see.", "We will need your address.", "We will have to find out."],
  },
  {
    kind: "likelyDecision",
    words:
      "i(?:'ll| will| am going to|'m going to) (?:now |just |then )?(?:use|go|keep|take|choose|switch|stick|write|make|move|deploy|ship|drop|replace|add|remove|rename|book|buy|order|pay|start|stop|run|build|store|put|send)",
    examples: [
      "I'll write it in Go.",
      "I will use ES256.",
      "I'm going to book the train.",
      "I will then drop the table.",
    ],
    counterexamples: [
      "I'll need your user ID to go on.",
      "I will be late.",
      "I will think about it.",
      "The will was read.",
    ],
  },
  {
    kind: "likelyDecision",
    words:
      "will (?:be )?(?:use|used|stay|stays|remain|replace|replaced|move|moved|happen|start|ship|shipped|go live|be released)|use .{1,40} instead|prefers?|rather than",
    examples: [
      "The service will use port 8080.",
      "The old API will be replaced in May.",
      "Use pnpm instead.",
      "I prefer tabs.",
      "Take the train rather than the car.",
    ],
    counterexamples: ["It will rain.", "At will, of course.", "He used it."],
  },
  {
    kind: "likelyDecision",
    words: "must(?! (?:be (?:joking|kidding|wrong|mistaken)|have|say|admit)\\b)",
    examples: ["The token must expire after an hour."],
    counterexamples: ["You must be joking.", "It must have been the cache.", "I must say it looks good."],
  },
  {
    kind: "likelyDecision",
    words:
      "(?<!\\b(?:today|tomorrow|yesterday|it|that) )(?:is|starts|begins|ends) (?:now )?(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|\\d{1,2}(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}|(?:january|february|march|april|may|june|july|august|september|october|november|december) \\d{1,2})",
    examples: ["Cutover is Sunday 8 March at 23:00.", "The course starts on 4 May.", "The release is on March 12."],
    counterexamples: ["Today is Monday.", "It is Sunday.", "There are 12 of them."],
  },
  {
    kind: "noDecision",
    words:
      "(?:no|any|without(?: a| any)?|need(?:s|ed)? (?:a|the|your)|pending|awaiting(?: a| the)?|waiting for (?:a|the|your)) (?:\\w+ )?decisions?",
    examples: [
      "No decision here at all.",
      "There is no final decision.",
      "We need a decision by Friday.",
      "Is there any decision?",
    ],
    counterexamples: ["The decision is no.", "No, the decision was to wait."],
  },
  {
    kind: "noDecision",
    words:
      "(?:not(?! to\\b)|never|\\w{2,6}n't|nobody|no one|nothing|none|yet to|cannot|neither)(?: \\w+){0,3} (?:decided?|agreed?|chosen?|chose|settled|approved?|confirm(?:ed)?|opted|booked|paid|ordered|reserved|merged|signed)",
    examples: [
      "We have not decided yet.",
      "We haven't agreed on a date.",
      "Nobody has approved it.",
      "Nothing was decided.",
      "I can't decide.",
      "They have yet to agree.",
    ],
    counterexamples: ["We decided not to use Redis.", "Agreed, nothing changes.", "We chose not to agree with them."],
  },
  {
    kind: "noDecision",
    words:
      "(?:if|once|when|whether|until|before|after|unless|as soon as|how) (?:\\w+ ){1,4}(?:decides?|decided|agrees?|agreed|chooses?|chosen|approves?|approved|confirms?|confirmed)",
    examples: [
      "Once we have decided, I will tell you.",
      "Wait until Ann has approved it.",
      "Tell me how they decided.",
    ],
    counterexamples: ["We decided when it was late.", "Agreed, if it is cheap."],
  },
  {
    kind: "noDecision",
    words: "(?:do not|don't|let(?:'s| us) not|not|never) (?:\\w+ )?(?:go ahead|use .{1,40} yet|go with)",
    examples: ["Do not go ahead before Monday.", "Let's not use Redis for that yet.", "Please don't go with that."],
    counterexamples: ["Let's go with that, not with this.", "You must never use it."],
  },
  {
    kind: "openPoint",
    words:
      "todo|tbd|(?:has|have) (?:yet )?to (?:confirm|approve|sign|decide)|to be decided|open questions?|unresolved|undecided|not (?:yet )?(?:sure|clear|decided)|still (?:need|needs|have|has|open|unclear)|remains? (?:open|unclear|to be)",
    examples: [
      "Joana has to confirm.",
      "TODO: the docs are missing.",
      "The date is to be decided.",
      "It is not yet clear who pays.",
      "We still need a name.",
    ],
    counterexamples: ["I am still here.", "The open source licence is fine."],
  },
  {
    kind: "progress",
    words:
      "done|finished|completed?|implemented|fixed|created|added|updated|passing|passed?|fail(?:s|ed|ing)?|works? now|next|now (?:i|we|let)|remaining|in progress|still",
    examples: ["The fix is done.", "Now I run the tests.", "Two tests fail.", "Next comes the parser."],
    counterexamples: ["Hello there.", "A password is a text."],
  },
  {
    kind: "change",
    words: "(?:creat|modif|updat|edit|add|chang|writ|wrote|renam|delet|remov|sav|patch|fix|refactor)[a-z]{0,12}",
    examples: ["I updated src/login.ts.", "Renamed a.md to b.md."],
    counterexamples: ["See README.md."],
  },
  {
    kind: "greeting",
    words: "(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks|thank you|sure|ok|okay|yes|no)",
    examples: ["Hi there!", "Thank you so much.", "Okay."],
    counterexamples: ["I need to cancel my flight.", "Hidden files are missing."],
  },
];
