/** The past of English verbs that make something other than it was, where it does not end in `-ed`. */
export const changingPast: ReadonlySet<string> = new Set(
  `became began bought broke broken brought built came chose chosen cut died fell fallen found froze frozen gave given gone
  got gotten grew grown left lost quit rewritten rewrote sank sent shut sold split stole stolen swung taken threw thrown took
  undid undone went withdrawn withdrew won`.split(/\s+/u),
);

/** That of others. Verbs whose past is their present (`put`) are left out. */
export const otherPast: ReadonlySet<string> = new Set(
  `said made knew thought saw told felt kept caught drank drew drove ate flew forgot forgave heard held hid kept led lent lay
  met paid ran rang rode rose sang sat shot slept spent spoke spoilt stood stuck swam taught understood woke wore wrote`.split(
    /\s+/u,
  ),
);
