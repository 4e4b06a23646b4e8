/** `Oh, and please also `: what an order may begin with. Of a regular expression, as what follows. */
export const orderLead: string = String.raw`^(?:(?:please|also|and|so|ok|okay|hey|just|now|btw|oh|yes|but|nice|great|thanks|pls)[,.!]? ){0,4}`;
/** What asks for something to be done: `Can you please `. */
export const askedOfYou: string = "(?:can|could|would|will) (?:you|u) (?:(?:please|pls|also) ){0,2}";
