import type { Saying } from "./saying.ts";

/** How one answers in German, and goes back on what was said. */
export const germanReplies: readonly Saying[] = [
  {
    kind: "acceptance",
    words:
      "(?:ja|jawohl|gerne?|bitte|genau|klar|sicher|einverstanden|passt|perfekt|abgemacht|machen wir|mach das|mach es|machen sie das|so machen wir es|klingt gut|in ordnung|natürlich)",
    examples: ["Ja, bitte.", "Einverstanden.", "Klingt gut!", "Ja, machen wir."],
    counterexamples: ["Ja, aber erst im Mai.", "Nein.", "Noch nicht."],
  },
  {
    kind: "changedAcceptance",
    words: "(?:aber|nur|allerdings|außer)",
    examples: ["Ja, aber erst um zwei.", "Gerne, nur nicht am Montag."],
    counterexamples: ["Ja, bitte.", "Nein, aber danke.", "Das ist gut, aber teuer."],
  },
  {
    kind: "asksWhich",
    words: "welche[rsnm]?|was|wer|wen|wem|wessen|wann|wo|wohin|woher|warum|wieso|wie",
    examples: ["Welches Angebot nehmen wir?", "Wie viele sind es?"],
    counterexamples: ["Soll ich das buchen?"],
  },
  {
    kind: "takesBack",
    words:
      "doch nicht|(?:^|(?<=[,;:] ))(?:vergiss|vergessen sie|streich|streiche|streichen sie|verwirf|storniere|stornieren sie) \\p{L}+|doch lieber|lieber doch|stattdessen|(?:an)?statt (?:der|dem|des|von|\\p{L}+)|(?:ist|sind) (?:vom tisch|gestrichen|hinfällig|abgesagt)|(?:hat|haben) abgesagt|umentschieden|anders überlegt|(?:verschieb|verschiebe|verschieben sie|verlege) (?:es|das|den|die)",
    examples: [
      "Doch nicht, Möwe hat abgesagt.",
      "Vergiss Tavira, wir fahren nach Porto.",
      "Porto statt Tavira.",
      "Die Fähre ist gestrichen.",
      "Ich habe es mir anders überlegt.",
    ],
    counterexamples: ["Bitte nicht vergessen: die Schlüssel.", "Das geht nicht mehr."],
  },
  {
    kind: "rule",
    words:
      "niemals|auf keinen fall|(?:bitte|ab jetzt|ab sofort|von nun an) (?:\\p{L}+ ){0,2}(?:nie|niemals|immer|nur|keine?n?|nicht)|ab (?:jetzt|sofort)|nicht ohne|(?:höchstens|mindestens|spätestens|maximal) (?:\\p{L}+ ){0,3}\\d{1,9}",
    examples: ["Bitte nie ohne Rückfrage löschen.", "Ab jetzt nur noch auf Deutsch.", "Höchstens 110 Euro pro Nacht."],
    counterexamples: ["Das ist immer noch so.", "Ich weiß nicht."],
  },
  {
    kind: "settled",
    words:
      "(?:ist|sind|wurde|wurden|jetzt) (?:\\p{L}+ ){0,2}(?:erledigt|geklärt|bestätigt|behoben|abgehakt|beantragt)|(?:hat|haben|habe) (?:\\p{L}+ ){0,3}(?:erledigt|bestätigt|beantragt|geklärt|zugesagt)",
    examples: ["Ist erledigt.", "Joana hat es heute bestätigt.", "Das ist jetzt geklärt."],
    counterexamples: ["Das ist noch nicht bestätigt.", "Wer klärt das?"],
  },
  {
    kind: "reminder",
    words: "erinner(?:e|n sie)? mich|nicht vergessen|ich muss noch",
    examples: ["Bitte erinnere mich.", "Die Katze nicht vergessen.", "Ich muss noch Ann anrufen."],
    counterexamples: ["Das habe ich vergessen."],
  },
  {
    kind: "unsure",
    words: "(?:ich bin|wir sind|bin) (?:mir |uns )?(?:noch )?nicht (?:ganz )?sicher",
    examples: ["Ich bin mir nicht sicher."],
    counterexamples: ["Das ist sicher."],
  },
];
