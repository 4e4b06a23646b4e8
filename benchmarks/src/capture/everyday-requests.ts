import { captureTurns } from "@loci/core";
import { readLabelledLines } from "../quality/labelled-data.ts";

/** A chat with an assistant that is mostly asked to do something once. */
export interface RequestChat {
  readonly id: string;
  readonly domain: string;
  readonly turns: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
  /** What of it is worth remembering: parts of turns of the user, counted from 1. */
  readonly keep: readonly { readonly turn: number; readonly says: string }[];
}

/** What capture made of chats. */
export interface KeptOfRequests {
  /** Memories made. */
  readonly kept: number;
  /** Of these, those that are of something worth remembering. */
  readonly right: number;
  /** What is worth remembering, */
  readonly wanted: number;
  /** and of that what is in a memory. */
  readonly found: number;
  /** Chats in which nothing is worth remembering, */
  readonly empty: number;
  /** and of these those of which nothing was kept. */
  readonly leftAlone: number;
}

/** 80 chats of 16 kinds, 291 turns of users, written without a look at the rules. */
export function readEverydayRequests(): readonly RequestChat[] {
  return readLabelledLines("everyday-requests.jsonl") as readonly RequestChat[];
}

const minute = 60_000;

/** Captures each chat by itself, by rules alone, with nothing known before. */
export function keptOfRequests(chats: readonly RequestChat[]): KeptOfRequests {
  const sums = { kept: 0, right: 0, wanted: 0, found: 0, empty: 0, leftAlone: 0 };
  for (const chat of chats) {
    const kept = keptOf(chat);
    const wanted = chat.keep.map(({ turn, says }) => {
      const start = chat.turns[turn - 1]?.content.indexOf(says) ?? -1;
      return { turn, start, end: start + says.length };
    });
    const overlap = (one: Part, other: Part): boolean =>
      one.turn === other.turn && one.start < other.end && other.start < one.end;
    sums.kept += kept.length;
    sums.right += kept.filter((part) => wanted.some((each) => overlap(part, each))).length;
    sums.wanted += wanted.length;
    sums.found += wanted.filter((each) => kept.some((part) => overlap(part, each))).length;
    sums.empty += wanted.length === 0 ? 1 : 0;
    sums.leftAlone += wanted.length === 0 && kept.length === 0 ? 1 : 0;
  }
  return sums;
}

/** A part of a turn, in UTF-16 units. */
interface Part {
  readonly turn: number;
  readonly start: number;
  readonly end: number;
}

function keptOf({ turns }: RequestChat): readonly Part[] {
  const start = Date.parse("2026-06-10T10:00:00Z");
  const { candidates } = captureTurns({
    turns: turns.map((turn, index) => ({ ...turn, turn: index + 1, at: start + index * minute })),
    scope: "user:asking",
    mayApprove: true,
    memories: [],
    cosineOf: () => 0,
    gates: { duplicate: 0.9, related: 0.6 },
  });
  return candidates.flatMap(({ decision, evidence }) => {
    const said = evidence[0];
    return decision === "ADD" && said !== undefined ? { turn: said.turn, start: said.start, end: said.end } : [];
  });
}
