import { type JobKind, job } from "./taught-jobs.ts";

/**
 * Corrections that no rule was made by: written afterwards, looked at once, and left as they are. When a rule is mended by
 * them, others have to take their place.
 */
export const heldOutKinds: readonly JobKind[] = [
  {
    taught: [
      job(
        "Label the new samples.",
        "Labelled by colour.",
        "No, samples always get the date of the draw on their label.",
      ),
      job(
        "Label the samples of ward 4.",
        "Done in pencil.",
        "Wrong! Use the label printer for samples, never a pencil.",
      ),
    ],
    later: ["Twelve samples came in, label them.", "Could you label today's samples?"],
  },
  {
    taught: [
      job(
        "Write the caption of the harbour photograph.",
        "A splendid harbour at a splendid dusk.",
        "No adjectives of praise in captions, please, ever.",
      ),
      job(
        "Caption the picture of the mayor.",
        "The mayor, smiling.",
        "That's not how it works: a caption must name everyone in the picture.",
      ),
    ],
    later: ["This photograph needs a caption.", "Write captions for the three pictures of the parade."],
  },
  {
    taught: [
      job(
        "Put the concert into the calendar.",
        "Added at 20:00.",
        "Wrong, you have to block the hour before a concert for the way as well, every time.",
      ),
      job(
        "Add the rehearsal.",
        "Added to your private calendar.",
        "No, rehearsals belong in the orchestra's calendar.",
      ),
    ],
    later: ["There is a concert on the 14th, add it to the calendar.", "Rehearsal and concert next week, put both in."],
  },
  {
    taught: [
      job(
        "Restart the queue worker.",
        "I killed the process.",
        "Never kill a queue worker, drain the queue first and then stop it.",
      ),
      job(
        "The queue worker hangs, fix it.",
        "Restarted on all five hosts at once.",
        "No! Restart queue workers one host at a time.",
      ),
    ],
    later: ["The queue worker needs a restart.", "Roll out the new version of the queue worker."],
  },
  {
    taught: [
      job(
        "Summarise the lecture on glaciers.",
        "Four pages of summary.",
        "Too long. From now on a summary of a lecture has at most ten sentences.",
      ),
      job(
        "Summarise the lecture on deserts.",
        "Summary without the formulas.",
        "No, a lecture summary always includes the formulas.",
      ),
    ],
    later: ["I missed the lecture on oceans, summarise it.", "Make me a summary of Tuesday's lecture."],
  },
  {
    taught: [
      job(
        "Reorder printer paper.",
        "Ordered 20 boxes of glossy paper.",
        "Not glossy. Printer paper should always be recycled.",
      ),
      job(
        "Order paper again.",
        "Ordered 200 boxes.",
        "Incorrect, don't order more than ten boxes of paper without asking.",
      ),
    ],
    later: ["We are out of printer paper.", "Please order paper for the second floor."],
  },
];

/** What corrects a fact, in words in which rules are said as well: nothing of it is to be followed. */
export const correctedFacts: readonly (readonly [said: string, correction: string])[] = [
  ["The library lends films.", "No, the library has never lent films."],
  ["The ferry to the island runs all year.", "Wrong, the ferry always stops in November."],
  ["Each flat has its own meter.", "That's wrong, every flat in the house shares one meter."],
  ["Omar was at the meeting.", "No, Omar must have been ill that day."],
  ["The clinic opens at eight.", "No, the clinic must open at seven since the new law."],
  ["Nobody lives above the shop.", "Incorrect. There are always students above the shop."],
  ["The lift was repaired.", "No, the lift is never repaired before spring."],
  ["All letters arrived.", "Nope, every letter to Bern came back."],
];
