const oneself =
  /(?<![\p{L}\p{N}_.'\u2019])(?:I|[Mm]y|me|[Mm]ine|i(?=['\u2019](?:m|ve|d|ll)| am| have))(?![\p{L}\p{N}_(])/u;

/** Whether a text speaks of whoever wrote it: programs seldom do. `We` they say of those who made them. */
export function speaksOfOneself(text: string): boolean {
  return oneself.test(text);
}
