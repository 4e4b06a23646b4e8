import { GatheredReads } from "@loci/postgres-connection";
import { expect, test } from "vitest";

interface Access {
  readonly tenant: string;
  readonly call: string | undefined;
}

/** Answers with what was asked, and notes what was asked together. */
function gathering(refused: (asked: readonly string[]) => boolean = () => false, asksAgainAlone = false) {
  const sent: { readonly access: Access; readonly asked: readonly string[] }[] = [];
  const reads = new GatheredReads<Access, string>({
    sharedAccess: (one, other) => {
      if (one.tenant !== other.tenant) return undefined;
      if (one.call === undefined) return other;
      return other.call === undefined || other.call === one.call ? one : undefined;
    },
    readTogether: async (access, asked) => {
      sent.push({ access, asked: [...asked] });
      if (refused(asked)) throw new Error(`refused ${asked.join()}`);
      return asked.map((one) => [one]);
    },
    asksAgainAlone,
  });
  return { reads, sent };
}

const acme = { tenant: "acme", call: undefined };

test("what is asked in one turn for the same call goes together, and each gets its own answer", async () => {
  const { reads, sent } = gathering();
  const call = { tenant: "acme", call: "one" };
  const answers = [
    reads.ask(acme, "a"),
    reads.ask({ tenant: "other", call: undefined }, "b"),
    reads.ask(call, "c"),
    reads.ask({ tenant: "acme", call: "two" }, "d"),
  ];
  expect(await Promise.all(answers)).toEqual([["a"], ["b"], ["c"], ["d"]]);
  // The call of the second is that of both.
  expect(sent.map(({ access, asked }) => [access.call, ...asked])).toEqual([
    ["one", "a", "c"],
    [undefined, "b"],
    ["two", "d"],
  ]);
  await reads.ask(acme, "later");
  expect(sent.at(-1)?.asked).toEqual(["later"]);
});

test("no more than sixteen go together", async () => {
  const { reads, sent } = gathering();
  await Promise.all(Array.from({ length: 20 }, (_, number) => reads.ask(acme, String(number))));
  expect(sent.map(({ asked }) => asked.length)).toEqual([16, 4]);
});

test("one that cannot be answered takes the others with it, unless each is asked again alone", async () => {
  const isRefused = (asked: readonly string[]): boolean => asked.includes("bad");
  const outcomes = async (reads: GatheredReads<Access, string>): Promise<readonly string[]> =>
    (await Promise.allSettled(["good", "bad"].map((asked) => reads.ask(acme, asked)))).map((outcome) =>
      outcome.status === "fulfilled" ? String(outcome.value) : (outcome.reason as Error).message,
    );
  const together = gathering(isRefused);
  expect(await outcomes(together.reads)).toEqual(["refused good,bad", "refused good,bad"]);
  const again = gathering(isRefused, true);
  expect(await outcomes(again.reads)).toEqual(["good", "refused bad"]);
  await expect(again.reads.ask(acme, "bad")).rejects.toThrow("refused bad");
  expect(again.sent.map(({ asked }) => asked.join())).toEqual(["good,bad", "good", "bad", "bad"]);
});
