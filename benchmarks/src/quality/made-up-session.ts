/** Something people work on, and what is remembered of it. */
export interface Topic {
  readonly name: string;
  /** Facts about it; each is remembered in two wordings, as people repeat themselves. */
  readonly facts: readonly { readonly wordings: readonly [string, string] }[];
  /** What a session asks about it, one turn after the other. */
  readonly questions: readonly string[];
}

const subjects = [
  "billing",
  "search",
  "onboarding",
  "deploys",
  "the mobile app",
  "the data warehouse",
  "support",
  "the website",
  "security",
  "the API",
] as const;

/** What holds of every subject: numbers and names differ, the words are alike, as notes of one team are. */
const aspects: readonly (readonly [string, string])[] = [
  ["{s} is owned by the {n} team.", "The {n} team owns {s}."],
  ["The budget of {s} is {m} thousand euros a year.", "For {s} there are {m} thousand euros a year."],
  ["{s} has an alert when errors exceed {p} percent.", "There is an alert for {s} at {p} percent errors."],
  ["Customers complained {m} times about {s} last quarter.", "Last quarter brought {m} complaints about {s}."],
  ["The roadmap of {s} ends in {q}.", "Until {q} the roadmap of {s} is settled."],
  ["{s} is written in {l}.", "We wrote {s} in {l}."],
  ["The contract with the vendor for {s} ends in {q}.", "In {q} the vendor contract of {s} runs out."],
  ["Tests of {s} take {m} minutes.", "It takes {m} minutes to test {s}."],
  ["The next release of {s} is planned for {q}.", "{s} gets its next release in {q}."],
  ["{s} depends on the {n} service.", "Without the {n} service {s} does not run."],
  ["The last incident of {s} took {m} minutes.", "For {m} minutes {s} was down in the last incident."],
  ["Dashboards of {s} are in the folder {n}.", "The folder {n} has the dashboards of {s}."],
  ["{s} is reviewed every {m} days.", "Every {m} days there is a review of {s}."],
  ["Logs of {s} are kept for {m} days.", "We keep the logs of {s} for {m} days."],
  ["The contact for {s} is {w}.", "{w} is whom to ask about {s}."],
  ["A new hire joins {s} in {q}.", "In {q} somebody new joins {s}."],
  ["{s} was rewritten in {q}.", "The rewrite of {s} happened in {q}."],
  ["The queue of {s} holds {m} thousand messages.", "{m} thousand messages fit into the queue of {s}."],
  ["Feature flags of {s} are cleaned up by {w}.", "{w} cleans up the feature flags of {s}."],
  ["The documentation of {s} is {m} pages long.", "There are {m} pages of documentation about {s}."],
];

const questions = [
  "What do I have to know about {s}?",
  "How is {s} doing?",
  "What is planned for {s}?",
  "Who works on {s}, and what does it cost?",
  "What went wrong with {s} lately?",
] as const;

const names = ["Kestrel", "Harbour", "Juniper", "Basalt", "Lantern", "Quartz", "Meadow"];
const people = ["Mara", "Theo", "Ines", "Jonas", "Priya"];
const languages = ["Go", "TypeScript", "Rust", "Python"];

/** 10 topics with 20 facts in two wordings each: 400 memories, and 50 questions. */
export const topics: readonly Topic[] = subjects.map((name, subject) => ({
  name,
  facts: aspects.map((wordings, aspect) => {
    const seed = subject * 31 + aspect * 7;
    const fill = (text: string): string => {
      const filled = text
        .replace("{n}", names[seed % names.length] as string)
        .replace("{w}", people[seed % people.length] as string)
        .replace("{l}", languages[seed % languages.length] as string)
        .replace("{q}", `${["spring", "summer", "autumn", "winter"][seed % 4]} 2027`)
        .replace("{m}", String(5 + (seed % 83)))
        .replace("{p}", String(1 + (seed % 9)))
        .replace("{s}", name);
      return filled.charAt(0).toUpperCase() + filled.slice(1);
    };
    return { wordings: [fill(wordings[0]), fill(wordings[1])] };
  }),
  questions: questions.map((question) => question.replace("{s}", name)),
}));
