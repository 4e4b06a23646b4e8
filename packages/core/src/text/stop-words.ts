/**
 * English words that say nothing about what a text is about: articles, pronouns, prepositions, conjunctions, auxiliary
 * and question words. Questions to a memory are sentences, so the question words matter most.
 *
 * `may` is not among them: as a month it is worth finding.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a an the this that these those
  i me my mine myself we us our ours ourselves you your yours yourself yourselves
  he him his himself she her hers herself it its itself they them their theirs themselves
  who whom whose which what when where why how
  am is are was were be been being do does did doing done have has had having
  can could will would shall should might must ought
  and or but nor so yet if then else than as because while until unless though although
  of at by for with about against between into through during before after above below to from up down in out on off over
  under again further once here there all any both each few more most other some such no not only own same too very
  just also ever still even now`.split(/\s+/),
);
