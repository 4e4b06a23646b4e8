const order =
  /^(?:(?:and|but|so|also|please|ok|okay|now|then|just),? ){0,3}(?<verb>raise|lower|increase|reduce|cut|set|bump|change|move|shift|push|extend|shorten) (?<what>the (?:user|team|family)['\u2019]s [^,;:.!?]{1,60}?) to (?<value>(?:[^,;:!?]|[,:](?=\d)){1,60}?)[.!]?$/iu;

const callingOff =
  /^(?:(?:and|but|so|also|please|ok|okay|now|then|just),? ){0,3}(?<what>(?:stop|cancel|scrap|drop|bin)(?!\p{L}).*)/isu;

/**
 * How it is behind an order to make it so: `Raise the user's budget to 2,500` is remembered as `The user's budget is now 2,500`, and `stop the
 * newsletter` as `The user asked to stop the newsletter`, since an order that is read later would be carried out once more. Any other text stays.
 */
export function asCarriedOut(text: string): string {
  const stopped = callingOff.exec(text)?.groups?.["what"];
  if (stopped !== undefined) return `The user asked to ${stopped.charAt(0).toLowerCase()}${stopped.slice(1)}`;
  const { verb = "", what, value } = order.exec(text)?.groups ?? {};
  if (what === undefined || value === undefined) return text;
  const at = moving.test(verb) ? "now at" : "now";
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} is ${at} ${value}`;
}

const moving = /^(?:move|shift|push)$/iu;
