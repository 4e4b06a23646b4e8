import type { StatementPattern } from "./statement-pattern.ts";

const somebody = "i|we|he|she|they|@relation am|is|are ?also|both|all|just";
const meeting =
  "flying|travelling|traveling|going|coming|seeing|meeting|visiting|presenting|speaking|hosting|celebrating|having|giving|taking|driving|picking|viewing";

/** What takes place on a day to come: it is so until that day, and over behind it. */
export const appointmentPattern: StatementPattern = {
  name: "appointment",
  kind: "semantic",
  category: "fact",
  isLasting: true,
  isEnough: true,
  phrases: [
    "#word is|are ?now ?set|scheduled|booked|planned on|for ?the ?#number #day|may",
    "#word is|are ?now ?set|scheduled|booked|planned ?for tomorrow",
    "#word is|are ?now ?due ?set|scheduled|booked|planned ?on|for next|this #day|may",
    `${somebody} ${meeting} ... on|next|this ?the ?#number #day|may`,
    `${somebody} ${meeting} ... tomorrow`,
    `${somebody} flying|travelling|traveling|coming|seeing|meeting|visiting|presenting ... @weekday`,
    "#word is|are ?all|also|only|now coming|visiting|arriving ... tomorrow|@weekday",
    `tomorrow|@weekday i|we am|are ${meeting} #word`,
    "i|we|he|she|they|@relation have|has ?got a|an|the|my|our|his|her #word ... on|next|this ?the ?#number #day|may",
    "i|we|he|she|they|@relation have|has ?got a|an|the|my|our|his|her #word ... tomorrow",
    "i|we fly|travel|see|meet|present|speak ... on|next|this ?the ?#number #day|may",
    "^ ?and|also|so|oh|plus|have|got ?a|an|my|our|the ?job|second|first|final interview|exam|appointment|dentist|flight|demo|presentation|wedding|checkup|check-up|surgery|hearing|viva ... on|next|this ?the ?#number #day|may",
    "moved|pushed|postponed|rescheduled|shifted|delayed|brought the|my|our|it ?#word ?#word ?forward|back to|until|till ?the ?#number #day|may",
    "#word slipped|slid|moves ?back to|until|till ?the ?#number #day|may",
    "#word arrives|lands|departs|flies ... tomorrow",
    "moved|pushed|postponed|rescheduled|shifted|delayed|brought ?back|forward|up to|until|till ?the ?#number #day",
    "moved|pushed|postponed|rescheduled|shifted|delayed|brought from ... to|until|till ?the ?#number #day",
    "^ ?and|also|so|oh|plus #word ?#word ?on|next tomorrow|@weekday at #number ?am|pm|o'clock $",
  ],
  examples: [
    "my flight is on Friday",
    "the viva is on the 12th",
    "my interview is next Friday",
    "we are seeing the house tomorrow at four",
    "I'm flying to Oslo next Tuesday",
    "I have an interview on Thursday at 10",
    "dentist tomorrow at 9",
    "it moved to Saturday",
    "interview at Stripe next Thursday at 10",
    "Stripe moved the interview to Friday",
    "launch slipped to April",
    "i'm speaking at a meetup in Turin on may 6",
    "the plumber is coming thursday at 8",
    "the movers are coming on Friday",
    "I'm seeing the dentist Tuesday at 9",
  ],
  counterExamples: [
    "I'll check it on Monday",
    "talk tomorrow",
    "we're closed on Friday",
    "I can't tomorrow",
    "the van is at the garage till Wednesday",
    "our book club is on Thursdays",
    "the bus is coming",
    "I'm having a rough Monday",
  ],
};

/** What begins or is done on a day to come, and may be so from then on. */
const intentionPattern: StatementPattern = {
  name: "planned for a day",
  kind: "semantic",
  category: "fact",
  isLasting: true,
  phrases: [
    `${somebody} #ing|leaving|moving|joining|starting|getting ... on|next|this ?the ?#number #day|may`,
    `${somebody} #ing|leaving|moving|joining|starting|getting ... tomorrow`,
    "tomorrow|@weekday i|we am|are #ing|leaving|moving|joining|starting|getting #word",
    "#word start|starts|begin|begins|leave|leaves|return|returns|arrive|arrives ?back ?at|with ?us|work ?on ?the #day $",
    "i|we leave|move|start ... on|next|this ?the ?#number #day|may",
    "#word leaves|starts|begins|ends|opens ... tomorrow",
    "#word is|are ?now due ?on|by ?the ?#number #day|may|tomorrow",
  ],
  examples: [
    "Devang starts Monday",
    "we're fixing the fence tomorrow",
    "I start at the bank next Monday",
    "she is leaving on Friday",
  ],
  counterExamples: ["I'll check it on Monday", "I can't tomorrow", "we start on Mondays"],
};

/** What is planned for a day. */
export const planPatterns: readonly StatementPattern[] = [appointmentPattern, intentionPattern];
