/** The names of small numbers in English, each at its number: `zero` to `twelve`. */
export const numberNames: readonly string[] =
  "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
