/** A fact that changed in the world, and a question about it. */
export interface ChangedFact {
  readonly question: string;
  readonly old: string;
  readonly updated: string;
}

/** Both versions are worded alike, as people word them. */
export const changedFacts: readonly ChangedFact[] = [
  fact("Which day do we deploy on?", "We deploy on Tuesdays.", "We deploy on Thursdays now."),
  fact("Which theme should the editor have?", "Ada likes the dark theme.", "Ada has changed to the light theme."),
  fact("Where does Ada live?", "Ada lives in Lisbon.", "Ada moved to Porto."),
  fact("Which database does billing use?", "Billing runs on MySQL 5.7.", "Billing was migrated to Postgres 17."),
  fact(
    "What is the rate limit of the public API?",
    "The API allows 100 calls a minute.",
    "The API allows 250 calls a minute.",
  ),
  fact("Who is on call this quarter?", "Grace is on call.", "Linus is on call since Monday."),
  fact(
    "Which dataset does the research brief use?",
    "The brief uses dataset survey-2024.",
    "The brief uses dataset survey-2026.",
  ),
  fact("What does Ada eat?", "Ada eats meat.", "Ada eats no meat any more."),
  fact("When is the weekly meeting?", "The weekly meeting is at 9:00.", "The weekly meeting moved to 14:30."),
  fact("Which Node version do we support?", "We support Node 18.", "We support Node 22 and newer."),
  fact("Where are the design files?", "Design files are in Figma.", "Design files are in Penpot now."),
  fact("How large is the team?", "The team has four people.", "The team has seven people."),
];

/** A procedure whose text does not have the word of its tag, and a question that names only the tag. */
export interface TaggedProcedure {
  readonly question: string;
  readonly text: string;
  readonly tags: readonly string[];
}

export const taggedProcedures: readonly TaggedProcedure[] = [
  procedure("publish the articles", "Proofread, set the date, then press the green button.", "article-publication"),
  procedure("we must deploy today", "Run the pipeline on main and watch the graphs.", "deploy"),
  procedure("help me with onboarding Bob", "Give a laptop, an account and a buddy.", "onboarding"),
  procedure("refund this customer", "Ask a lead above 100 euros, then use the ledger page.", "refunds"),
  procedure("do the backups work?", "Restore last night's snapshot on the spare machine.", "backup"),
  procedure("translate the page", "Send strings to the agency, wait two days, merge.", "translation"),
  procedure("rotate the secrets", "Make a new key, switch readers, remove the old key.", "secret-rotation"),
  procedure("an incident!", "Open a channel, name a leader, write times down.", "incidents"),
];

function fact(question: string, old: string, updated: string): ChangedFact {
  return { question, old, updated };
}

function procedure(question: string, text: string, tag: string): TaggedProcedure {
  return { question, text, tags: [tag] };
}
