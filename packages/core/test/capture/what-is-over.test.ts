import { describe, expect, test } from "vitest";
import { endingsOf } from "../../src/capture/judge/endings.ts";
import { capture, memory, turnsOf } from "./captured.ts";

/** What becomes of a memory, and of what was said. */
function decisions(known: string, slot: string | null, ...lines: readonly string[]): readonly (string | null)[] {
  return capture(turnsOf(...lines), [memory("p1", known, slot)])
    .filter(({ target, decision }) => target === "p1" || decision === "ADD")
    .map(({ decision }) => decision);
}

describe("what is known is over", () => {
  test.each<[known: string, slot: string | null, assistant: string, user: string, decisions: readonly string[]]>([
    ["There is a hot tub on the terrace.", "hot tub", "I would mention the hot tub.", "Don't, it's gone.", ["DELETE"]],
    [
      "Goes to the maths club on Wednesdays.",
      null,
      "I keep Wednesdays short because of the maths club.",
      "oh i quit that after easter",
      ["DELETE"],
    ],
    [
      "Comes to physiotherapy every Wednesday.",
      null,
      "I keep Wednesdays free because of your physiotherapy.",
      "last session was 2 weeks ago",
      ["DELETE"],
    ],
    [
      "The user practises with the app Lingofox every day.",
      null,
      "Do you still do the fifteen minutes with Lingofox?",
      "Nope, threw it off my phone in January.",
      ["DELETE"],
    ],
    ["Has a joint project with Uppsala.", null, "Good.", "our joint project with Uppsala finished in June", ["DELETE"]],
    ["Deploys are frozen on Fridays.", "deploy freeze", "Fine.", "there's no friday freeze anymore", ["DELETE"]],
    ["The living room gets oak parquet.", null, "The oak has to be ordered.", "Ah, forget the oak!", ["DELETE"]],
    [
      "Has a subscription for a monthly 6 kg bag of cat food.",
      null,
      "And the second matter?",
      "Please stop the monthly bags altogether.",
      ["DELETE"],
    ],
    ["Feature flags are managed in LaunchDarkly.", null, "Behind a flag?", "launchdarkly's gone", ["DELETE"]],
  ])("%j, %j: %j %j", (known, slot, assistant, user, expected) => {
    expect(decisions(known, slot, `assistant: ${assistant}`, `user: ${user}`)).toEqual(expected);
  });

  test.each<[known: string, assistant: string, user: string]>([
    [
      "Brightside is the PR agency for the launch.",
      "Brightside will need the text by Friday.",
      "Not Brightside, that's over, Kolibri took it on.",
    ],
    ["The data warehouse is Amazon Redshift.", "In Redshift.", "Redshift is history, we cut over to ClickHouse."],
    [
      "Production runs on Kubernetes 1.29.",
      "I can set the retention to 5 days in the ingest chart, the deploys of which go out on Tuesday. It requires 1.29.",
      "1.29 is history, prod's been on 1.31 since the weekend before last.",
    ],
    ["Drives a Skoda as company car.", "Which car?", "the skoda went back and they handed me a volvo ex40"],
    ["The thesis is due by 30 September.", "You have until 30 September.", "15 December!"],
    [
      "Mila works in the shop as a student help.",
      "Who is on the wage list?",
      "mila's last day was the 28th, she's gone to leipzig for her master's, so now it's just tobi and me",
    ],
    ["The game is built with Godot 4.2.", "The class does not exist in 4.2.", "cause we're on 4.4 since last sprint"],
  ])("by what is told with it: %j, %j %j", (known, assistant, user) => {
    expect(decisions(known, null, `assistant: ${assistant}`, `user: ${user}`)).toContain("UPDATE");
  });

  test("what was only called off has its successor from the same turn", () => {
    const known = "The firm Novak does the electrical work in the flat.";
    const said = "user: Novak bailed on us. Sanne Visser is doing the electrical work in the flat now.";
    expect(decisions(known, null, "assistant: How is Novak getting on?", said)).toEqual(["NOOP", "UPDATE"]);
  });
});

test.each([
  ["There is no gym tonight.", 0],
  ["There is no gym any more.", 1],
  ["The pool shut down, nobody misses it.", 1],
  ["She's gone to Leipzig.", 0],
])("%s: %i clauses say that something is over", (said, count) => expect(endingsOf(said)).toHaveLength(count));

describe("what is known stays", () => {
  test.each<[known: string, slot: string | null, assistant: string, user: string]>([
    ["The gym is on Fridays.", null, "Gym on Friday?", "There is no gym tonight."],
    [
      "There is a hot tub on the terrace.",
      null,
      "I would mention the hot tub.",
      "The bakery at the corner closed in May.",
    ],
    [
      "Feature flags are managed in LaunchDarkly.",
      null,
      "Fine.",
      "we scrapped the orange birthday video for users of flags",
    ],
    [
      "Runs in Brooks shoes, size 44.5.",
      "shoes",
      "Some of my athletes use carbon-plated shoes for races.",
      "Food on the run: gels turn my stomach, every brand, I've been through five of them.",
    ],
    [
      "Visits the key account Brandvik every quarter.",
      "Brandvik visits",
      "The usual 8 percent?",
      "brandvik gets 11, has done since the framework deal.",
    ],
    [
      "Visits the key account Brandvik every quarter.",
      "Brandvik visits",
      "Fine.",
      "Visit report from Lindqvist Marin.",
    ],
    ["The restaurant has 46 seats.", null, "Fine.", "the tasting menu goes up to 58 in october"],
    [
      "Wants her diary entries in the first person.",
      "diary style",
      "Fine.",
      "Make it nine, at eight the entries are late.",
    ],
    [
      "Wants written messages from the bank by e-mail.",
      "written contact",
      "When may we call you?",
      "After two is fine. Anything written by e-mail, same as ever.",
    ],
    [
      "Wants the alarm 90 minutes before a shift starts.",
      "alarm",
      "At 5:30?",
      "i cycle 12 min these days, a slow start",
    ],
    ["The choir's accompanist is Oskar.", null, "Fine.", "a cappella all evening so Oskar gets the night off"],
  ])("%j, %j: %j %j", (known, slot, assistant, user) => {
    const found = decisions(known, slot, `assistant: ${assistant}`, `user: ${user}`);
    expect(found).not.toContain("UPDATE");
    expect(found).not.toContain("DELETE");
  });
});
