const lead =
  /^(?:(?:and|but|also|oh+|ok|okay|h[mu]m*|um+|uh+|ugh+|mh+|sry|sorry|no no|pls|nah|omg(?: yes)?|no thank you,? and|(?:hm+,? )?(?:no,? wait|wait,? no)|hang on|before i forget|anyway|actually|btw|by the way|fyi|one more thing|quick question|seriously though|hi+|hey|hello|yes|yeah|yep|thx|ah|(?:it )?turns out(?: that)?|(?:correction|question|q)(?=:)|(?:small |quick |big )?(?:change of plans?|update|new plan|intro)(?=[:,!])|i meant(?: to say)?(?= (?:i|i['\u2019]m|my|we|our) ))(?:[,:!]|(?=\s))|(?:well|wait|correction|never mind),|so,?(?!,?\s(?:far|much|many|long|that|as)\b))\s+/iu;
/** Of words before what is said, and how long one may be. */
const mostLeads = 4;
const longestLead = 24;

/** What is said, without the words that only lead to it: `And by the way, my sister …`. */
export function withoutLeadWords(text: string): string {
  let rest = text;
  for (let count = 0; count < mostLeads; count++) {
    const found = lead.exec(rest.slice(0, longestLead));
    if (found === null || found[0].length === rest.length) return rest;
    rest = rest.slice(found[0].length);
  }
  return rest;
}
