/** Which take back or put out of the record what was said before. */
export const withdrawals: readonly string[] = [
  "not write that|this|it",
  "do not write|store|save|remember|keep|record that|this|it",
  "off the record",
  "between us",
  "forget that|it|this",
  "scratch that",
  "joking about",
  "just|only kidding|joking",
  "april fool|fools|fool's",
  "strike that",
  "^ ?oh|no|ok|okay|hm|wait|actually|sorry|and|but ?no scrap that $",
  "i take that|it back",
  "keep that|this private|secret",
];

/** Which contain the words of a withdrawal, and ask for the opposite. */
export const insistences: readonly string[] = [
  "not|never|cannot|nor forget that|it|this",
  "not|never let me|us|anyone forget that|it|this",
  "will|would|could|should not|never forget that|it|this",
  "i ?always|often|just|sometimes|would|will forget that|it|this",
  "not off the record",
  "not|never joking about",
  "not|never just|only ?just kidding|joking",
];

/** With which somebody catches oneself: what they lead to stands instead of what was said just before. */
export const slips: readonly string[] = ["no wait", "wait no", "i meant", "correction"];

/** Which say that something said before is different now: of one thing the last word counts. */
export const revisions: readonly string[] = [
  ...slips,
  "actually",
  "make it|the|that",
  "you know what",
  "on second thought",
  "changed my mind",
  "rather #number|make",
  "sorry ?i ?meant",
  "^ ?no not #word",
];
