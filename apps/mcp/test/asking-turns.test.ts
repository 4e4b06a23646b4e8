import { expect, test } from "vitest";
import { AskingTurns } from "../src/http/asking-turns.ts";

const nobodyLeaves = new AbortController().signal;

interface Asked {
  readonly begun: readonly string[];
  readonly end: (name: string) => void;
  ask(name: string, signal?: AbortSignal): Promise<string>;
}

/** Work that begins in its turn and ends when a test says so. */
function askedIn(turns: AskingTurns): Asked {
  const ends = new Map<string, () => void>();
  const begun: string[] = [];
  return {
    begun,
    end: (name) => ends.get(name)?.(),
    ask: (name, signal = nobodyLeaves) =>
      turns.run(signal, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      }),
  };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test("who comes first goes first, and who comes late is not sent away", async () => {
  const { ask, begun, end } = askedIn(new AskingTurns(2, 10));
  const all = ["a", "b", "c", "d"].map((name) => ask(name));
  await settle();
  expect(begun).toEqual(["a", "b"]);
  end("b");
  const late = ask("e");
  await settle();
  expect(begun).toEqual(["a", "b", "c"]);
  for (const name of ["a", "c", "d", "e"]) {
    end(name);
    await settle();
  }
  expect(await Promise.all([...all, late])).toEqual(["a", "b", "c", "d", "e"]);
  expect(begun).toEqual(["a", "b", "c", "d", "e"]);
});

test("who is gone loses the turn, and nobody else's", async () => {
  const { ask, begun, end } = askedIn(new AskingTurns(1, 10));
  const first = ask("a");
  const gone = new AbortController();
  const left = ask("b", gone.signal);
  const next = ask("c");
  gone.abort();
  await expect(left).rejects.toMatchObject({ reason: "CANCELLED" });
  await expect(ask("d", gone.signal)).rejects.toMatchObject({ reason: "CANCELLED" });
  end("a");
  await settle();
  expect(begun).toEqual(["a", "c"]);
  end("c");
  expect(await Promise.all([first, next])).toEqual(["a", "c"]);
});

test("more than can wait are told to come again, and a failure gives its turn on", async () => {
  const turns = new AskingTurns(1, 1);
  const { ask, end } = askedIn(turns);
  const first = ask("a");
  const failing = turns.run(nobodyLeaves, () => Promise.reject(new Error("wrong key")));
  await expect(ask("c")).rejects.toMatchObject({ reason: "TOO_MANY_REQUESTS" });
  end("a");
  await expect(failing).rejects.toThrow("wrong key");
  const last = ask("d");
  await settle();
  end("d");
  expect(await Promise.all([first, last])).toEqual(["a", "d"]);
});
