/** What an agent is asked to do, what it says it did, and what it is told about that. */
export interface TaughtJob {
  readonly request: string;
  readonly done: string;
  readonly correction: string;
}

/** Jobs of one kind: what is learned in the first concerns those that come later, which are asked for in other words. */
export interface JobKind {
  readonly taught: readonly [TaughtJob, TaughtJob];
  readonly later: readonly [string, string];
}

export function job(request: string, done: string, correction: string): TaughtJob {
  return { request, done, correction };
}

/** 40 corrections over 40 made-up jobs of one agent, two of a kind, and 40 jobs that come after them. */
export const jobKinds: readonly JobKind[] = [
  {
    taught: [
      job(
        "Please write the release notes for version 2.4.",
        "Done: 14 bullet points, sorted by author.",
        "No, never sort release notes by author. Sort release notes by component.",
      ),
      job(
        "Draft the release notes for 2.5.",
        "Here they are, with every commit listed.",
        "No, always leave internal refactorings out of the release notes.",
      ),
    ],
    later: ["Can you prepare release notes for 3.0?", "The 3.1 release is out, we need its release notes."],
  },
  {
    taught: [
      job(
        "Migrate the orders table to the new schema.",
        "I ran the migration on production.",
        "Wrong. Before you run a migration, first take a backup, then run it on staging.",
      ),
      job(
        "Add a column to the customers table with a migration.",
        "Migration added, it locks the table for a minute.",
        "That's wrong. Every migration must be reversible.",
      ),
    ],
    later: ["Write a migration that drops the legacy column.", "We need a database migration for the invoices table."],
  },
  {
    taught: [
      job(
        "Reply to the customer who asked about the late delivery.",
        "I told the customer that we do not know.",
        "No, always apologise first when a customer complains about a delivery.",
      ),
      job(
        "Answer the customer whose parcel was damaged.",
        "Sent, with a refund promised.",
        "No! Never promise a refund to a customer without asking me.",
      ),
    ],
    later: [
      "A customer writes that the delivery came broken, answer her.",
      "Reply to the customer who wants a refund.",
    ],
  },
  {
    taught: [
      job("Book a flight to Oslo for the team.", "Booked, with a stop in Frankfurt.", "No, only book direct flights."),
      job("Book my flight to Lisbon.", "Booked seat 22B.", "Not a middle seat. Always book an aisle seat on flights."),
    ],
    later: ["Find me a flight to Madrid next month.", "Book two flights to Vienna for the conference."],
  },
  {
    taught: [
      job(
        "Review the pull request of Ines.",
        "I approved the pull request.",
        "Wrong, never approve a pull request before the tests are green.",
      ),
      job(
        "Look at the pull request for the parser.",
        "I left 25 comments on style.",
        "No, from now on leave style remarks to the linter in a pull request review.",
      ),
    ],
    later: ["Please review this pull request.", "There is a new pull request for the scheduler, have a look."],
  },
  {
    taught: [
      job(
        "Make the weekly sales report.",
        "The report is ready, in dollars.",
        "No, the sales report must always be in euros.",
      ),
      job(
        "Make the sales report for week 12.",
        "Here it is, 30 pages.",
        "That is not right, always put a one-page summary at the top of the sales report.",
      ),
    ],
    later: ["I need the sales report of this week.", "Send the board the quarterly sales report."],
  },
  {
    taught: [
      job(
        "Translate the manual into German.",
        "Translated, with informal address.",
        "No, always use the formal address in German translations.",
      ),
      job(
        "Translate the warranty text.",
        "Translated, product names too.",
        "Wrong. Never translate product names in a translation.",
      ),
    ],
    later: ["Translate the new brochure into German.", "We need a translation of the safety leaflet."],
  },
  {
    taught: [
      job("Plan dinner for Friday.", "Lamb stew with peanuts.", "No, never put peanuts in a dinner, Ida is allergic."),
      job(
        "Suggest a dinner for the weekend.",
        "A roast that takes five hours.",
        "Nope, only suggest dinners that take less than an hour.",
      ),
    ],
    later: ["What could we cook for dinner tonight?", "Plan five dinners for next week."],
  },
  {
    taught: [
      job(
        "Deploy the billing service.",
        "Deployed on Friday at 17:00.",
        "Wrong. Never deploy the billing service on a Friday.",
      ),
      job(
        "Deploy the search service.",
        "It is live.",
        "No, every time you deploy a service, post the version in the channel #releases.",
      ),
    ],
    later: ["Deploy the billing service again.", "The billing service needs a hotfix, deploy it."],
  },
  {
    taught: [
      job(
        "Write unit tests for the cart.",
        "Tests written with real network calls.",
        "No, unit tests must never use the network.",
      ),
      job(
        "Add unit tests for the discount code.",
        "Added one test with 40 assertions.",
        "That is wrong. Always test one behaviour in each unit test.",
      ),
    ],
    later: ["Cover the checkout with unit tests.", "This function has no unit tests, please add some."],
  },
  {
    taught: [
      job(
        "Schedule a meeting with the design team.",
        "Scheduled for Monday at 8:00.",
        "No, never schedule a meeting before 10 o'clock.",
      ),
      job(
        "Set up a meeting with legal.",
        "Invited everybody for two hours.",
        "No, from now on, add an agenda to every meeting invitation.",
      ),
    ],
    later: ["Schedule a meeting with the suppliers.", "Please set up a meeting with marketing on Thursday."],
  },
  {
    taught: [
      job(
        "Invoice the client for March.",
        "Sent with payment in 14 days.",
        "Wrong, the payment term on an invoice is always 30 days.",
      ),
      job(
        "Write the invoice for the workshop.",
        "Invoice 7 is written.",
        "No, always quote the purchase order number on the invoice.",
      ),
    ],
    later: ["Prepare the invoice for April.", "The training is over, write the invoice."],
  },
  {
    taught: [
      job(
        "Write a post about our new feature for the blog.",
        "Written, with five exclamation marks.",
        "No, never use exclamation marks in a blog post.",
      ),
      job(
        "Write a blog post about the outage.",
        "Posted with 3,000 words.",
        "No. Always keep a blog post under 800 words.",
      ),
    ],
    later: ["Draft a blog post about the conference.", "We want a blog post on the new pricing."],
  },
  {
    taught: [
      job(
        "Clean the customer spreadsheet.",
        "I deleted the rows without an address.",
        "No, never delete rows of a spreadsheet. Mark rows of the spreadsheet instead.",
      ),
      job(
        "Fix the dates in the spreadsheet.",
        "Fixed, as month/day/year.",
        "That's incorrect. From now on, write dates in a spreadsheet as ISO 8601.",
      ),
    ],
    later: ["Tidy up this spreadsheet of suppliers.", "The spreadsheet of orders has duplicates, clean it."],
  },
  {
    taught: [
      job(
        "Investigate the alert on the database.",
        "I restarted the database.",
        "Wrong, never restart the database during an alert without asking the engineer on call.",
      ),
      job(
        "There is an alert on the queue.",
        "It is gone now.",
        "That is not how we do it. After every alert, write the cause into the incident log.",
      ),
    ],
    later: ["An alert fired on the database, look into it.", "Please handle the alert about the full disk."],
  },
  {
    taught: [
      job("Design a logo for the bakery.", "Here is one in red and green.", "No, always deliver a logo in one colour."),
      job("Sketch a logo for the club.", "A bitmap of 200 pixels.", "Wrong, deliver every logo as SVG from now on."),
    ],
    later: ["We need a logo for the summer festival.", "Make a logo for the new app."],
  },
  {
    taught: [
      job(
        "Summarise the interview with Dr Sand.",
        "Summary in the first person.",
        "No, write interview summaries in the third person, always.",
      ),
      job(
        "Summarise the interview with the nurse.",
        "Done, with her full name.",
        "No, never name a patient or a nurse in an interview summary.",
      ),
    ],
    later: ["Summarise the interview with the surgeon.", "Here is another interview, write its summary."],
  },
  {
    taught: [
      job(
        "Write the lesson plan for fractions.",
        "One lecture of 90 minutes.",
        "No, every lesson plan needs a break after 40 minutes.",
      ),
      job(
        "Write a lesson plan on volcanoes.",
        "Done, with a film.",
        "Not a film: always end a lesson plan with three questions for the pupils.",
      ),
    ],
    later: ["I need a lesson plan about the Romans.", "Prepare a lesson plan for long division."],
  },
  {
    taught: [
      job(
        "Refactor the payment module.",
        "Refactored, and I renamed the public functions.",
        "Wrong, never rename public functions in a refactoring.",
      ),
      job(
        "Refactor the logger.",
        "One commit with 2,000 lines.",
        "Nope. From now on, split every refactoring into commits of one step each.",
      ),
    ],
    later: ["Refactor the session handling.", "The mailer needs a refactoring."],
  },
  {
    taught: [
      job(
        "Order paper for the office.",
        "Ordered 50 boxes.",
        "No, never order office supplies for more than 100 euros without approval.",
      ),
      job(
        "Order pens for the office.",
        "Ordered from the cheapest shop.",
        "No, always order office supplies from Nordkontor.",
      ),
    ],
    later: ["Order new office supplies, we are out of folders.", "Please order office supplies for the new colleague."],
  },
];
