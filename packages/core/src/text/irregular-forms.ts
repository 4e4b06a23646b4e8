/**
 * English words whose other forms no ending tells, each before its forms. Not among them: verbs that go with anything, as they say
 * nothing of what a text is about (`get`, `go`, `make`, `take`, `bring`, `think`), and forms that are words or names of their own
 * (`bit`, `rose`, `drew`).
 */
const irregular = `
  awake awoke, become became, blow blew blown, break broke broken, build built, burn burnt, buy bought, catch caught,
  choose chose chosen, deal dealt, dig dug, draw drawn, dream dreamt, drink drank drunk, drive drove driven, eat ate eaten,
  fall fell fallen, feed fed, fight fought, fly flew flown, forbid forbade forbidden, forget forgot forgotten,
  forgive forgave forgiven, freeze froze frozen, grow grew grown, hang hung, hide hid hidden, lay laid, learn learnt, lend lent,
  lose lost, pay paid, rewrite rewrote rewritten, ride rode ridden, ring rang rung, seek sought, sell sold, send sent,
  shake shook shaken, shoot shot, show shown, sing sang sung, sink sank sunk, sit sat, sleep slept, speak spoke spoken,
  spend spent, spoil spoilt, stand stood, steal stole stolen, stick stuck, strike struck, swear swore sworn, sweep swept,
  swim swam swum, teach taught, tear tore torn, throw threw thrown, understand understood, undo undid undone, wake woke woken,
  wear wore worn, win won, withdraw withdrew withdrawn, write wrote written,
  child children, foot feet, goose geese, half halves, knife knives, loaf loaves, man men, mouse mice, shelf shelves,
  thief thieves, tooth teeth, wife wives, wolf wolves, woman women`;

/** By form, what it is a form of: `bought` is `buy`. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  irregular.split(",").flatMap((line) => {
    const [word = "", ...forms] = line.trim().split(" ");
    return forms.map((form): readonly [string, string] => [form, word]);
  }),
);
