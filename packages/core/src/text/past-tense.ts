/** The past of English verbs that make something other than it was, where no ending tells it. */
export const changingPast: ReadonlySet<string> = new Set(
  `became began bought broke broken brought built came chose chosen cut died fell fallen found froze frozen gave given gone
  got gotten grew grown left lost quit rewritten rewrote sank sent shut sold split stole stolen swung taken threw thrown took
  undid undone went withdrawn withdrew won`.split(/\s+/u),
);

/** That of others, those in `-eed` as well. Verbs whose past is their present (`put`) are left out. */
export const otherPast: ReadonlySet<string> = new Set(
  `agreed freed guaranteed said made knew thought saw told felt kept caught drank drew drove ate flew forgot forgave heard held hid kept led lent lay
  met paid ran rang rode rose sang sat shot slept spent spoke spoilt stood stuck swam taught understood woke wore wrote`.split(
    /\s+/u,
  ),
);

/** Whether a word in lower case may be the past of a verb: `walked`, `went`; but `need` is none. */
export function isPastTense(word: string): boolean {
  return /[^e]ed$/u.test(word) || changingPast.has(word) || otherPast.has(word);
}

/** These may be the present as well: `I'd quit`. */
const unchanged: ReadonlySet<string> = new Set("cut quit shut split put".split(" "));

/** Whether a word in lower case can only stand behind `had`, and not behind `would`: `I'd said`. */
export function isParticiple(word: string): boolean {
  return isPastTense(word) && !unchanged.has(word);
}
