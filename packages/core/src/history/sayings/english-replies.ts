import type { Saying } from "./saying.ts";

/** How one answers in English, and goes back on what was said. */
export const englishReplies: readonly Saying[] = [
  {
    kind: "acceptance",
    words:
      "(?:yes|yeah|yep|ok|okay|sure|agreed|perfect|great|fine|exactly|correct|confirmed|approved|of course|sounds good|go ahead|please|please do|do it|do that|go for it|works for me|that works|good idea)",
    examples: ["Yes, please.", "ok do it", "Agreed.", "Sounds good!", "Of course."],
    counterexamples: ["Yes, but only in May.", "No.", "Not yet.", "Please move it to Tuesday.", "Thanks."],
  },
  {
    kind: "changedAcceptance",
    words: "(?:but|except|only|just|though)",
    examples: ["Yes please, but make it 2 to 5.", "Ok, just not on Monday."],
    counterexamples: ["Yes, please.", "No, but thanks.", "I would, but not today."],
  },
  {
    kind: "asksWhich",
    words: "which|what|who|whom|whose|when|where|why|how",
    examples: ["Which one do you want?", "Okay, and how many are there?"],
    counterexamples: ["Shall I book it?"],
  },
  {
    kind: "takesBack",
    words:
      "(?:(?:^|(?<=[,;:] ))(?:(?:ok|okay|no|so|well|hm+|please|actually|and|then),? ){0,2}(?:scrap|scratch|forget|drop|ditch|cancel|undo|skip|strike) (?:it|that|this|about|the|\\w+))|never ?mind|on second thoughts?|changed (?:my|our|his|her|their) minds?|take (?:that|it) back|instead|(?:is|are) (?:out|off|cancelled|canceled|off the table)|(?:move|moved|change|changed|switch|switched|set|put) (?:it |that |this |the \\w+ )?(?:back )?to|(?:we|i) (?:no longer|don't|do not) (?:want|need|use|plan|do) .{1,60}(?:any ?more)|(?:we|i) no longer (?:want|need|use|plan|do)|back to the (?:old|first|previous)",
    examples: [
      "Scrap that, we'll do Debezium.",
      "Forget Tavira, he'd rather go to Porto.",
      "Porto instead of Tavira.",
      "Move it to Tuesday 3 March.",
      "I changed my mind about the car.",
      "The camping is off.",
      "We no longer need the ferry.",
    ],
    counterexamples: [
      "Don't forget the keys.",
      "I forget the name.",
      "The button no longer works.",
      "Go with pgloader.",
    ],
  },
  {
    kind: "rule",
    words:
      "(?:(?:^|[,;:] |(?<=[,;:] )|please |and |but |so |also )(?:never|always|(?:do not|don't)(?! (?:worry|know|think|mind|bother|need|care|have|like|want|understand|see|remember|forget|you|we|get|let)\\b)) \\w+)|from now on|without asking|(?:at most|at least|no more than|no later than|not (?:over|above|more than|before|until)) (?:\\w+ ){0,3}\\d{1,9}",
    examples: [
      "By the way, never run anything on prod.",
      "Don't add dependencies.",
      "From now on answer in French.",
      "Not over 110 a night.",
      "At most 20 minutes.",
    ],
    counterexamples: ["I never said that.", "Don't worry.", "I don't know.", "At least it works."],
  },
  {
    kind: "settled",
    words:
      "(?:is|are|was|were|it's|that's|all|now|has been|have been) (?:done|settled|sorted|resolved|confirmed|fixed|fine|answered|clear now|taken care of)|^done|(?:confirmed|signed off|took care of)|i(?:'ve| have)? just (?:asked|told|did|sent|paid|called|booked)",
    examples: ["So that's done.", "Joana confirmed.", "I just asked him.", "It was sorted yesterday."],
    counterexamples: [
      "Is there a date?",
      "Joana has to confirm.",
      "Nobody has confirmed it.",
      "It is not yet settled.",
    ],
  },
  {
    kind: "reminder",
    words:
      "remind me|(?:don't|do not) (?:let me )?forget|ask me again|i (?:still )?(?:need|have) to (?:ask|get|call|buy|book|send|write|find|check|pay|renew|order)",
    examples: ["Remind me tomorrow.", "Don't forget the keys.", "I still have to call Ann."],
    counterexamples: ["I remind them daily."],
  },
  {
    kind: "unsure",
    words: "(?:^|i'm |i am |we're |we are )not (?:yet |quite |100% |really )?(?:sure|certain)",
    examples: ["I'm not sure how to do that.", "not sure it's worth it"],
    counterexamples: ["It is not sure to rain."],
  },
];
