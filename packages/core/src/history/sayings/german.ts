import type { Saying } from "./saying.ts";

export const german: readonly Saying[] = [
  {
    kind: "decision",
    words: "(?:frist|deadline|abgabetermin|budget) (?:ist|beträgt|bleibt)",
    examples: ["Die Frist ist der 24. Dezember.", "Das Budget beträgt 4.000 Euro."],
    counterexamples: ["Gibt es eine Frist?"],
  },
  {
    kind: "decision",
    words:
      "entschieden|beschlossen|vereinbart|festgelegt|geeinigt|abgemacht|(?:die|unsere) entscheidung (?:ist|lautet|war)|entscheidung:",
    examples: [
      "Wir haben uns für Postgres entschieden.",
      "Es wurde beschlossen, freitags nicht zu veröffentlichen.",
      "Wir haben uns auf ES256 geeinigt.",
      "Abgemacht, wir treffen uns um acht.",
    ],
    counterexamples: [
      "Hier gibt es überhaupt keine Entscheidung.",
      "Das ist noch nicht entschieden.",
      "Nichts wurde beschlossen.",
      "Sobald wir uns entschieden haben, sage ich Bescheid.",
    ],
  },
  {
    kind: "decision",
    words:
      "einverstanden|(?:wir|ich) (?:nehmen|nehme|nutzen|nutze|verwenden|verwende|bleiben|bleibe) (?:bei|jetzt|also|die|den|das|ein)|lass(?:t|en sie)? uns",
    examples: [
      "Einverstanden, so machen wir es.",
      "Wir bleiben bei Redis.",
      "Ich nehme den Zug um neun.",
      "Lass uns PyJWT nehmen.",
    ],
    counterexamples: ["Ich bin nicht einverstanden.", "Lass uns nicht darüber streiten.", "Wir sind angekommen."],
  },
  {
    kind: "decision",
    words: "(?:darf|dürfen|soll|sollen|sollte|sollten|muss|müssen) (?:\\p{L}+ ){0,3}(?:nie|niemals|immer|nicht)",
    examples: ["Der Schlüssel darf nie ins Protokoll.", "Tests sollen immer zuerst laufen."],
    counterexamples: ["Das sollte reichen."],
  },
  {
    kind: "decision",
    words:
      "(?:ist|sind|wurde|wurden|habe|haben) (?:\\p{L}+ ){0,4}(?:gebucht|bezahlt|bestellt|reserviert|storniert|unterschrieben)|^(?:gebucht|bezahlt|bestellt|reserviert|storniert)(?=[ :,.!])",
    examples: ["Das Zimmer ist gebucht.", "Ich habe den Zug bezahlt.", "Gebucht: zwei Zimmer."],
    counterexamples: ["Das gebuchte Zimmer ist klein."],
  },
  {
    kind: "likelyDecision",
    words:
      "(?:ich werde|wir werden)(?! (?:sehen|schauen|es sehen|brauchen|wohl)\\b)|(?:ich|wir) (?:werden?) .{1,60} (?:verwenden|nutzen|nehmen|schreiben|behalten)|lieber|bevorzuge|stattdessen",
    examples: [
      "Ich werde es in Go schreiben.",
      "Wir werden nach Oslo ziehen.",
      "Ich fahre lieber mit dem Zug.",
      "Nimm stattdessen pnpm.",
    ],
    counterexamples: ["Wir werden sehen.", "Ich wurde gestern krank."],
  },
  {
    kind: "noDecision",
    words:
      "kein(?:e|er|en|erlei)? (?:\\p{L}+ )?(?:entscheidung(?:en)?|beschlüsse|beschluss|einigung)|(?:nicht|nichts|nie|niemand|noch nicht|weder)(?: \\p{L}+){0,3} (?:entschieden|entscheiden|beschlossen|vereinbart|festgelegt|geeinigt|einverstanden|bestätigt)|lass(?:t|en sie)? uns (?:\\p{L}+ )?nicht",
    examples: [
      "Hier gibt es überhaupt keine Entscheidung.",
      "Das ist noch nicht entschieden.",
      "Nichts wurde beschlossen.",
      "Ich bin nicht einverstanden.",
      "Lass uns nicht darüber streiten.",
    ],
    counterexamples: ["Wir haben entschieden, Redis nicht zu verwenden.", "Abgemacht, nichts ändert sich."],
  },
  {
    kind: "noDecision",
    words:
      "(?:wenn|falls|sobald|ob|bevor|bis|nachdem) (?:\\p{L}+ ){1,6}(?:entscheiden|entscheidet|entschieden|beschließen|beschlossen|einigen|geeinigt|vereinbart)",
    examples: ["Sobald wir uns entschieden haben, sage ich Bescheid.", "Warte, bis sie es beschlossen haben."],
    counterexamples: ["Wir haben entschieden, wenn auch spät."],
  },
  {
    kind: "openPoint",
    words:
      "offene fragen?|(?:noch|bleibt|ist|sind) (?:noch )?(?:offen|unklar|ungeklärt|zu klären)|noch nicht (?:sicher|klar|entschieden|geklärt)|unentschieden",
    examples: ["Der Termin ist noch offen.", "Es ist noch nicht klar, wer zahlt.", "Offene Frage: der Name."],
    counterexamples: ["Die Tür steht weit offen.", "Das ist klar."],
  },
  {
    kind: "progress",
    words:
      "fertig|erledigt|abgeschlossen|umgesetzt|implementiert|behoben|erstellt|hinzugefügt|aktualisiert|schlägt fehl|schlagen fehl|fehlgeschlagen|läuft (?:jetzt|nun|wieder)|als nächstes|jetzt (?:kommt|mache|folgt)",
    examples: ["Die Änderung ist fertig.", "Als Nächstes kommt der Parser.", "Zwei Tests schlagen fehl."],
    counterexamples: ["Guten Tag.", "Fertigkeiten sind gefragt."],
  },
  {
    kind: "change",
    words:
      "geändert|aktualisiert|erstellt|angelegt|hinzugefügt|gelöscht|entfernt|umbenannt|geschrieben|angepasst|korrigiert",
    examples: ["Ich habe src/login.ts geändert.", "README.md wurde angelegt."],
    counterexamples: ["Siehe README.md."],
  },
  {
    kind: "greeting",
    words: "(?:hallo|guten (?:morgen|tag|abend)|moin|servus|danke|vielen dank|ja|nein|gut|gerne)",
    examples: ["Hallo zusammen!", "Vielen Dank für alles."],
    counterexamples: ["Ich möchte meinen Flug stornieren.", "Januar passt mir gut."],
  },
];
