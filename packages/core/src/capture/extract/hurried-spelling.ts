/** Words as they are typed in a hurry, and as they are spelled. */
const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries({
    allways: "always",
    arent: "aren't",
    cant: "can't",
    couldnt: "couldn't",
    couldve: "could've",
    didnt: "didn't",
    doesnt: "doesn't",
    dont: "don't",
    hasnt: "hasn't",
    havent: "haven't",
    hes: "he's",
    im: "i'm",
    isnt: "isn't",
    ive: "i've",
    lets: "let's",
    shes: "she's",
    shouldnt: "shouldn't",
    thats: "that's",
    theres: "there's",
    ppl: "people",
    shouldve: "should've",
    til: "till",
    theyre: "they're",
    u: "you",
    ur: "your",
    wasnt: "wasn't",
    werent: "weren't",
    weve: "we've",
    whats: "what's",
    wont: "won't",
    wouldnt: "wouldn't",
    youre: "you're",
    youve: "you've",
  }),
);

/** @param word in lower case, with straight apostrophes */
export function wellSpelled(word: string): string {
  return spellings.get(word) ?? word;
}
