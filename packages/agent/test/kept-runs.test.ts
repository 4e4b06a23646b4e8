import { randomUUID } from "node:crypto";
import { LociError, type Loci, type TurnInput } from "@loci/domain";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AgentMemory, type KnownConversation } from "../src/index.ts";
import { openedLoci } from "./opened-loci.ts";

const at = openedLoci();

const runs = Number(process.env["LOCI_PROPERTY_RUNS"] ?? 500) / 10;

/** What goes wrong with one append: nothing, the call, or its answer. */
type Fault = "none" | "refused" | "answerLost";

/** A process, in which each append goes wrong as it is told. What fails there is not tried again by itself. */
class Process {
  readonly memory: AgentMemory;
  readonly faults: Fault[] = [];
  readonly problems: Error[] = [];

  constructor(loci: Loci, conversation: KnownConversation) {
    const append: Loci["sessions"]["append"] = async (...call) => {
      const fault = this.faults.shift() ?? "none";
      if (fault === "refused") throw unavailable();
      const appended = await loci.sessions.append(...call);
      if (fault === "answerLost") throw unavailable();
      return appended;
    };
    const sessions = { ...loci.sessions, append };
    this.memory = new AgentMemory({
      loci: { ...loci, sessions },
      conversation,
      onError: (error) => this.problems.push(error),
    });
  }
}

function unavailable(): LociError {
  return new LociError("SERVER_UNAVAILABLE", { message: "The connection was lost." });
}

function newConversation(): KnownConversation & { readonly session: string } {
  const scope = { kind: "user", id: randomUUID() } as const;
  return { scope, session: "talk", recallFrom: [scope] };
}

async function keptTurns({ scope, session: id = "" }: KnownConversation): Promise<readonly TurnInput[]> {
  const { turns } = await at.loci.sessions.turns({ scope, id }, { pageSize: 1_000 });
  return turns.map(({ role, content, toolCalls, toolCallId }) => ({
    role,
    content,
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  }));
}

/** The turns that captures were made of, in order. */
async function capturedTurns({ scope, session: id = "" }: KnownConversation): Promise<readonly number[]> {
  await at.loci.settled();
  const { captures } = await at.loci.captures.list({ session: { scope, id }, pageSize: 1_000 });
  return captures
    .flatMap(({ turns: { first, last } }) => Array.from({ length: last - first + 1 }, (_, place) => first + place))
    .toSorted((left, right) => left - right);
}

function numbersTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, place) => place + 1);
}

/** What a framework still has of a run that was aborted. */
const aborted: TurnInput = { role: "user", content: "Wait." };

/** Whether these turns were kept just before, or behind the same that is shown before them now. */
function isSaidAgain(kept: readonly TurnInput[], shown: readonly TurnInput[], turns: readonly TurnInput[]): boolean {
  const endsWith = (all: readonly TurnInput[], end: readonly TurnInput[]): boolean =>
    JSON.stringify(all.slice(-end.length)) === JSON.stringify(end);
  const behind = [...shown.filter((turn) => turn !== aborted), ...turns];
  return endsWith(kept, turns) || kept.some((_, last) => endsWith(kept.slice(0, last + 1), behind));
}

/** What nobody has said before, and nobody takes for a secret. */
const newWord = fc.stringMatching(/^[a-z]{16}$/);

/** One of few things that are said again and again, or something that nobody has said before. */
const said = fc.oneof(
  fc.constantFrom<readonly TurnInput[]>(
    [
      { role: "user", content: "Thanks." },
      { role: "assistant", content: "You are welcome." },
    ],
    [
      { role: "user", content: "My card is 4539 5787 6362 1486." },
      { role: "assistant", content: "I have it." },
    ],
  ),
  newWord.map((unique): readonly TurnInput[] => {
    const call = { id: `call-${unique}`, type: "function", function: { name: "look", arguments: "{}" } } as const;
    return [
      { role: "user", content: `Look for ${unique}.` },
      { role: "assistant", content: "", toolCalls: [call] },
      { role: "tool", content: `Found ${unique}.`, toolCallId: call.id },
      { role: "assistant", content: "There it is." },
    ];
  }),
);

const fault = fc.constantFrom<Fault>("none", "none", "refused", "answerLost");

/** One time that a run is finished: where, and whether that process has just begun. */
const attempt = fc.record({
  process: fc.nat({ max: 1 }),
  isNew: fc.boolean(),
  fault,
  times: fc.integer({ min: 1, max: 3 }),
});

const step = fc.record({
  turns: said,
  attempts: fc.array(attempt, { maxLength: 3 }),
  wasAborted: fc.boolean(),
  /** How many turns of its history the framework still has. */
  visible: fc.oneof(fc.constant(Infinity), fc.integer({ min: 3, max: 8 })),
});

describe("runs", () => {
  test("stand in the session once and in order, and are captured once, whatever is lost and repeated", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const conversation = newConversation();
        const processes = [new Process(at.loci, conversation), new Process(at.loci, conversation)];
        const history: TurnInput[] = [];
        const expected: TurnInput[] = [];
        for (const { turns, attempts, wasAborted, visible } of steps) {
          // Stays in the history of the framework, and is not kept.
          if (wasAborted) history.push(aborted);
          const shown = history.slice(-visible);
          // What is said again behind the same nobody can tell from its repetition, if most of it is not there any more.
          const before = isSaidAgain(expected, shown, turns) ? history : shown;
          const finish = async ({ process, isNew, fault, times }: (typeof attempts)[number]): Promise<void> => {
            if (isNew) processes[process] = new Process(at.loci, conversation);
            const { memory, faults } = processes[process]!;
            faults.splice(0, faults.length, fault);
            for (let time = 0; time < times; time++)
              memory.finished({ conversation, position: before.length, before, turns });
            await memory.settled();
          };
          // Whoever asks goes on when the run is kept.
          for (const each of [...attempts, { process: 0, isNew: false, fault: "none", times: 1 } as const])
            await finish(each);
          history.push(...turns);
          expected.push(...turns);
        }
        const card = (turn: TurnInput): TurnInput => ({
          ...turn,
          content: turn.content.replace("4539 5787 6362 1486", "[redacted: card]"),
        });
        expect(await keptTurns(conversation)).toEqual(expected.map(card));
        expect(await capturedTurns(conversation)).toEqual(numbersTo(expected.length));
      }),
      { numRuns: runs },
    );
  });

  test("are not taken for what was said before they were first tried", async () => {
    const conversation = newConversation();
    const { memory, faults } = new Process(at.loci, conversation);
    const said = (...contents: readonly string[]): readonly TurnInput[] =>
      contents.map((content, place) => ({ role: place % 2 === 0 ? "user" : "assistant", content }));
    const earlier = said("Here is it.", "I have it.", "And Bergen?", "Far.", "Thanks.", "You are welcome.");
    const again = said("Here is it.", "I have it.");
    const thanks = said("Thanks.", "You are welcome.");
    memory.finished({ conversation, position: 0, turns: [...earlier, ...again] });
    await memory.settled();
    faults.push("refused");
    for (let time = 0; time < 2; time++) {
      memory.finished({ conversation, position: 2, before: again, turns: thanks });
      await memory.settled();
    }
    expect(await keptTurns(conversation)).toEqual([...earlier, ...again, ...thanks]);
  });

  test("of several processes at once stand whole and once each", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(newWord, { minLength: 2, maxLength: 8 }),
        fc.array(fc.nat({ max: 2 }), { minLength: 8, maxLength: 8 }),
        async (names, places) => {
          const conversation = newConversation();
          const processes = [0, 1, 2].map(() => new Process(at.loci, conversation));
          const turnsOf = (name: string): readonly TurnInput[] => [
            { role: "user", content: `Question ${name}` },
            { role: "assistant", content: `Answer ${name}` },
          ];
          for (const [index, name] of names.entries())
            for (const process of [processes[places[index]!]!, processes[(places[index]! + 1) % 3]!])
              process.memory.finished({ conversation, position: 0, turns: turnsOf(name) });
          await Promise.all(processes.map(({ memory }) => memory.settled()));
          expect(processes.flatMap(({ problems }) => problems)).toEqual([]);
          const kept = (await keptTurns(conversation)).map(({ content }) => content);
          expect(kept).toHaveLength(2 * names.length);
          for (const name of names) {
            const place = kept.indexOf(`Question ${name}`);
            expect(kept[place + 1]).toBe(`Answer ${name}`);
          }
          expect(await capturedTurns(conversation)).toEqual(numbersTo(kept.length));
        },
      ),
      { numRuns: runs },
    );
  });

  test("of more turns than are appended at once are kept whole, and once", async () => {
    const conversation = newConversation();
    const calls = Array.from({ length: 130 }, (_, index): readonly TurnInput[] => {
      const call = { id: `call-${index}`, type: "function", function: { name: "look", arguments: "{}" } } as const;
      return [
        { role: "assistant", content: "", toolCalls: [call] },
        { role: "tool", content: `Result ${index}`, toolCallId: call.id },
      ];
    });
    const turns: readonly TurnInput[] = [
      { role: "user", content: "Look everywhere." },
      ...calls.flat(),
      { role: "assistant", content: "Nothing." },
    ];
    for (let time = 0; time < 2; time++) {
      const { memory, problems } = new Process(at.loci, conversation);
      memory.finished({ conversation, position: 0, turns });
      await memory.settled();
      expect(problems).toEqual([]);
    }
    expect(await keptTurns(conversation)).toEqual(turns);
  });

  test("go on in a session that was deleted or closed meanwhile, or say that they cannot", async () => {
    const conversation = newConversation();
    const key = { scope: conversation.scope, id: conversation.session };
    const { memory, problems } = new Process(at.loci, conversation);
    const finish = async (name: string): Promise<void> => {
      memory.finished({ conversation, position: 0, turns: [{ role: "user", content: name }] });
      await memory.settled();
    };
    await finish("one");
    await finish("two");
    await at.loci.sessions.delete(key);
    await finish("three");
    expect(await keptTurns(conversation)).toEqual([{ role: "user", content: "three" }]);
    await at.loci.sessions.close(key);
    await finish("four");
    expect(problems.map((problem) => LociError.is(problem) && problem.reason)).toEqual(["SESSION_CLOSED"]);
    await at.loci.sessions.reopen(key);
    await finish("four");
    expect((await keptTurns(conversation)).map(({ content }) => content)).toEqual(["three", "four"]);
  });

  test("are captured as the session says that is there already", async () => {
    const conversation = newConversation();
    await at.loci.sessions.create({ scope: conversation.scope, id: conversation.session, capture: "off" });
    const { memory } = new Process(at.loci, conversation);
    memory.finished({ conversation, position: 0, turns: [{ role: "user", content: "I live in Bergen." }] });
    await memory.settled();
    expect(await capturedTurns(conversation)).toEqual([]);
  });

  test("are kept and not learnt of where that is wanted", async () => {
    const conversation = newConversation();
    const memory = new AgentMemory({ loci: at.loci, conversation, capture: false });
    memory.finished({ conversation, position: 0, turns: [{ role: "user", content: "I live in Bergen." }] });
    await memory.settled();
    expect(await keptTurns(conversation)).toHaveLength(1);
    expect(await capturedTurns(conversation)).toEqual([]);
  });
});
