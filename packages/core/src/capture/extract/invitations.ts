const inviting =
  /(?<!\p{L})(?:let me know|feel free to|(?:do not|don['’]t) hesitate|just ask|(?:i['’]m|i am) here (?:to help|if you)|(?:happy|glad) to (?:help|assist))(?!\p{L})/iu;

/** What assistants end a turn with, and say nothing by: `Let me know if you need anything else.` */
export function isInvitation(sentence: string): boolean {
  return inviting.test(sentence);
}
