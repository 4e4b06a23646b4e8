import {
  maxToolCallsPerTurn,
  maxTurnBytes,
  maxTurnsPerSession,
  type MessageRole,
  type ToolCall,
  type TurnInput,
  utf8ByteLength,
} from "@loci/domain";
import type { SkipReport } from "./skip-report.ts";

/** Something said, before it is known whether a session can take it. */
export interface SaidTurn {
  readonly role: MessageRole;
  readonly content: string;
  readonly name?: string | undefined;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[] | undefined;
  readonly answers?: string | undefined;
  /** ISO 8601, milliseconds or seconds, as the transcript has it. What is none of these is passed over. */
  readonly at?: unknown;
  /** Parts of one message follow each other under one key and become one turn. */
  readonly part?: string | undefined;
}

interface OpenTurn {
  readonly turn: { -readonly [Field in keyof TurnInput]: TurnInput[Field] };
  readonly part: string | undefined;
  readonly calls: Map<string, ToolCall>;
  bytes: number;
}

/** Makes of what was said turns that a session takes as they are. What it would refuse is reported and left out. */
export class SessionTurns {
  id: string | undefined;
  title: string | undefined;
  readonly #turns: OpenTurn[] = [];
  readonly #report: SkipReport;
  /** Calls of the last turn that is not a tool's, by id. */
  readonly #open = new Map<string, ToolCall>();

  constructor(report: SkipReport) {
    this.#report = report;
  }

  get turns(): readonly TurnInput[] {
    return this.#turns.map(({ turn, calls }) =>
      calls.size === 0 ? turn : { ...turn, toolCalls: [...calls.values()] },
    );
  }

  /** The open call that a result without an id belongs to: the first one, of that name when it is given. */
  openCall(name?: string): string | undefined {
    for (const [id, call] of this.#open) if (name === undefined || call.function.name === name) return id;
    return undefined;
  }

  add(said: SaidTurn, line: number): void {
    const content = said.content.toWellFormed();
    const last = this.#turns.at(-1);
    if (last !== undefined && said.role === "assistant" && said.part !== undefined && last.part === said.part)
      this.#addPart(last, content, said, line);
    else this.#addTurn(content, said, line);
  }

  #addTurn(content: string, { role, name, calls = [], answers, at, part }: SaidTurn, line: number): void {
    const shownName = name?.toWellFormed();
    const bytes = utf8ByteLength(content) + utf8ByteLength(shownName ?? "") + utf8ByteLength(answers ?? "");
    if (content === "" && calls.length === 0 && role !== "tool") return this.#report.add("EMPTY", line);
    if (this.#turns.length >= maxTurnsPerSession) return this.#report.add("TOO_MANY_TURNS", line);
    if (role === "tool" && (answers === undefined || !this.#open.has(answers)))
      return this.#report.add("RESULT_WITHOUT_CALL", line);
    if (bytes > maxTurnBytes) return this.#report.add("TOO_LARGE", line);
    if (role === "tool") this.#open.delete(answers as string);
    else this.#open.clear();
    // What says no time was said when what stands before it was, and not when the file is imported.
    const time = instantOf(at) ?? this.#turns.at(-1)?.turn.at;
    const open: OpenTurn = {
      turn: {
        role,
        content,
        ...(shownName === undefined ? {} : { name: shownName }),
        ...(role === "tool" ? { toolCallId: answers } : {}),
        ...(time === undefined ? {} : { at: time }),
      },
      part: role === "assistant" ? part : undefined,
      calls: new Map(),
      bytes,
    };
    this.#turns.push(open);
    this.#addCalls(open, calls, line);
  }

  #addPart(last: OpenTurn, content: string, { calls = [] }: SaidTurn, line: number): void {
    const joint = content === "" || last.turn.content === "" ? "" : "\n\n";
    const bytes = utf8ByteLength(content) + joint.length;
    if (content === "" && calls.length === 0) this.#report.add("EMPTY", line);
    else if (last.bytes + bytes > maxTurnBytes) this.#report.add("TOO_LARGE", line);
    else {
      last.turn.content += joint + content;
      last.bytes += bytes;
    }
    this.#addCalls(last, calls, line);
  }

  #addCalls(open: OpenTurn, calls: NonNullable<SaidTurn["calls"]>, line: number): void {
    for (const { id, name, arguments: given } of calls) {
      const call: ToolCall = {
        id,
        type: "function",
        function: { name: name.toWellFormed(), arguments: given.toWellFormed() },
      };
      const bytes = utf8ByteLength(id) + utf8ByteLength(call.function.name) + utf8ByteLength(call.function.arguments);
      if (open.calls.has(id)) this.#report.add("CALL_TWICE", line);
      else if (open.bytes + bytes > maxTurnBytes || open.calls.size >= maxToolCallsPerTurn)
        this.#report.add("TOO_LARGE", line);
      else {
        open.calls.set(id, call);
        open.bytes += bytes;
        this.#open.set(id, call);
      }
    }
  }
}

/** Numbers below are seconds: as milliseconds they would be before 1973. */
const leastMilliseconds = 1e11;

function instantOf(at: unknown): number | undefined {
  const given = typeof at === "string" ? Date.parse(at) : at;
  if (typeof given !== "number") return undefined;
  const time = typeof at === "number" && Math.abs(at) < leastMilliseconds ? Math.round(at * 1_000) : given;
  return Number.isSafeInteger(time) && Math.abs(time) <= 8.64e15 ? time : undefined;
}
