import { deepEqual, equal, ok } from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Loci, ScopeText } from "@loci/domain";
import { AgentMemory } from "../agent-memory.ts";
import { instructionsNotice } from "../block-layout.ts";
import type { Conversation } from "../conversation.ts";
import type { AgentDriver, StartedAgent } from "./agent-driver.ts";
import { keptTurn, type KeptTurn, keptTurnsOf, messagesOfSteps, messagesOfUser, partsOf } from "./expected-turns.ts";
import type { Happening } from "./happening.ts";
import { ModelScript } from "./model-script.ts";
import { PlayedLoci } from "./played-loci.ts";
import type { ShownCall, ShownMessage } from "./shown-call.ts";
import { image, type ToldConversation, type ToldQuestion } from "./told-conversation.ts";

const instructions = "You help.";
/** For a recall that is to come: the first one reads a model, and machines are shared. */
const patience = 60_000;
/** For one that does not come. */
const impatience = 100;

/** A chat of one user, as far as it has come. */
interface Chat<History> {
  readonly conversation: Conversation | undefined;
  readonly kept: KeptTurn[];
  now: Said<History>;
  /** Before the question that was asked last. */
  before: Said<History>;
}

interface Said<History> {
  readonly history: History | undefined;
  readonly messages: readonly ShownMessage[];
}

/** Plays a conversation to an adapter, and checks what comes of it. */
export class PlayedConversation<History> {
  readonly #driver: AgentDriver<History>;
  readonly #loci: Loci;
  readonly #told: ToldConversation;
  readonly #happened: Set<Happening>;
  readonly #played: PlayedLoci;
  readonly #id = randomUUID();
  readonly #chats = new Map<string, Chat<History>>();
  readonly #problems: string[] = [];
  #agent: { readonly of: string; readonly started: StartedAgent<History> } | undefined;

  /** @param happened is told what happens */
  constructor(driver: AgentDriver<History>, loci: Loci, told: ToldConversation, happened: Set<Happening>) {
    this.#driver = driver;
    this.#loci = loci;
    this.#told = told;
    this.#happened = happened;
    this.#played = new PlayedLoci(loci);
  }

  async play(): Promise<void> {
    const { memories = {}, questions } = this.#told;
    for (const [user, texts] of Object.entries(memories))
      await this.#loci.memories.rememberMany(texts.map((text) => ({ text, scope: this.#scopeOf(user) })));
    for (const asked of questions) await this.#askAll("asks" in asked ? [asked] : asked);
    for (const chat of this.#chats.values()) await this.#checkKept(chat);
  }

  async #askAll(questions: readonly ToldQuestion[]): Promise<void> {
    await this.#loci.settled();
    const [first] = questions as readonly [ToldQuestion];
    if (questions.length > 1) this.#happened.add("at once");
    const agent = this.#agentFor(first);
    this.#played.does = first.loci;
    this.#played.recalls = 0;
    this.#problems.length = 0;
    await Promise.all(questions.map((question) => this.#ask(agent, question)));
    await agent.settled();
    const expected = questions.reduce((count, { recalls = 1 }) => count + recalls, 0);
    equal(this.#played.recalls, expected, "so often it is recalled");
    deepEqual(this.#problems, problemsOf(first), "what onError is told");
  }

  async #ask(agent: StartedAgent<History>, question: ToldQuestion): Promise<void> {
    const { asks, after = [], steps, ends, isStreamed = false, isRepeated = false } = question;
    const chat = this.#chatOf(question);
    if (!isRepeated) chat.before = chat.now;
    const { history, messages } = chat.before;
    const earlier = [...messages, ...messagesOfUser(question).slice(0, -1)].filter(({ role }) => role === "user");
    const block = await this.#blockFor(
      chat,
      question,
      earlier.map(({ text }) => text),
    );
    const stop = new AbortController();
    const script = new ModelScript(steps, stop);
    const asked = agent.ask({
      conversation: chat.conversation,
      instructions,
      history,
      messages: [...after, asks],
      script,
      isStreamed,
      signal: stop.signal,
    });
    const [answer] = await Promise.allSettled([asked]);
    this.#note(question);
    if (answer.status === "rejected" && ends === undefined) throw answer.reason;
    equal(answer.status, ends === undefined ? "fulfilled" : "rejected", "how it ends");
    const said = [...messages, ...messagesOfUser(question)];
    deepEqual(script.shown, ends === "unasked" ? [] : shownCalls(said, block, question), "what the model is shown");
    if (answer.status === "rejected") return;
    equal(answer.value.text, steps.at(-1)?.says, "what is answered");
    chat.now = { history: answer.value.history, messages: [...said, ...messagesOfSteps(steps)] };
    // Also where Loci fails to keep it: before the next one.
    const { isKept = !isRepeated } = question;
    if (isKept && chat.conversation?.session !== undefined) chat.kept.push(...keptTurnsOf(question));
  }

  /** What `AgentMemory` recalls for it. */
  async #blockFor(
    { conversation }: Chat<History>,
    question: ToldQuestion,
    earlier: readonly string[],
  ): Promise<string | undefined> {
    const { asks, steps, loci, shows } = question;
    if (conversation === undefined || loci === "silent" || loci === "fails to recall") return undefined;
    const memory = new AgentMemory({
      loci: this.#loci,
      conversation,
      required: true,
      recallTimeoutMilliseconds: patience,
    });
    const block = await memory.blockFor({
      conversation: await memory.conversationOf(),
      question: partsOf(asks)
        .filter((part) => part !== image)
        .join("\n"),
      position: 0,
      earlier,
      tools: steps.flatMap(({ calls = [] }) => calls.map(({ tool }) => tool)),
    });
    if (shows === null) equal(block, undefined, "There is a block.");
    for (const text of shows ?? []) ok(block?.text.includes(text), `The block does not say: ${text}`);
    for (const text of question.hides ?? []) ok(!block?.text.includes(text), `The block says: ${text}`);
    return block?.text;
  }

  async #checkKept({ conversation, kept }: Chat<History>): Promise<void> {
    if (conversation === undefined) return;
    const { scope, session: id } = conversation;
    const { sessions } = await this.#loci.sessions.list({ scopes: [scope] });
    if (id === undefined) return deepEqual(sessions, [], "the sessions of who keeps nothing");
    if (kept.length === 0 && !sessions.some((session) => session.id === id)) return;
    const { turns } = await this.#loci.sessions.turns({ scope, id });
    deepEqual(turns.map(keptTurn), kept, "what is kept");
    await this.#loci.settled();
    const { captures } = await this.#loci.captures.list({ session: { scope, id } });
    const captured = captures.flatMap(({ turns: { first, last } }) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index),
    );
    deepEqual(
      captured.toSorted((one, other) => one - other),
      turns.map(({ number }) => number),
      "the turns that memories are made of",
    );
  }

  #agentFor({ loci, isMemoryRequired: required = false, isElsewhere = false }: ToldQuestion): StartedAgent<History> {
    const recallTimeoutMilliseconds = loci === "silent" ? impatience : patience;
    const of = JSON.stringify([required, recallTimeoutMilliseconds]);
    if (this.#agent?.of === of && !isElsewhere) return this.#agent.started;
    const started = this.#driver.start({
      loci: this.#played.loci,
      required,
      recallTimeoutMilliseconds,
      onError: (error, stage) => this.#problems.push(`${stage}: ${error.message}`),
    });
    this.#agent = { of, started };
    return started;
  }

  #chatOf({ user = "ann", session = "talk" }: ToldQuestion): Chat<History> {
    const name = JSON.stringify([user, session]);
    const known = this.#chats.get(name);
    if (known !== undefined) return known;
    const nothing: Said<History> = { history: undefined, messages: [] };
    const conversation =
      user === null ? undefined : { scope: this.#scopeOf(user), ...(session === null ? {} : { session }) };
    const chat = { conversation, kept: [], now: nothing, before: nothing };
    this.#chats.set(name, chat);
    return chat;
  }

  #scopeOf(user: string): ScopeText {
    return `user:${user}-${this.#id}`;
  }

  #note(question: ToldQuestion): void {
    const { asks, steps, ends, isStreamed, isRepeated, isElsewhere, loci, user } = question;
    const happenings: Readonly<Partial<Record<Happening, boolean | undefined>>> = {
      answer: ends === undefined,
      stream: isStreamed,
      tool: steps.some(({ calls = [] }) => calls.length > 0),
      image: partsOf(asks).includes(image),
      failure: ends === "failed",
      stop: ends === "stopped",
      repetition: isRepeated,
      restart: isElsewhere,
      "silent loci": loci === "silent",
      "nobody speaks": user === null,
    };
    for (const [happening, is] of Object.entries(happenings))
      if (is === true) this.#happened.add(happening as Happening);
  }
}

/** What each call of a run is to be shown. */
function shownCalls(
  said: readonly ShownMessage[],
  block: string | undefined,
  { steps }: ToldQuestion,
): readonly ShownCall[] {
  const asked = said.at(-1) as ShownMessage;
  const shown = block === undefined ? asked : { ...asked, text: `${block}\n\n${asked.text}` };
  return steps.map((_, index) => ({
    instructions: `${instructions}\n\n${instructionsNotice}`,
    messages: [...said.slice(0, -1), shown, ...messagesOfSteps(steps.slice(0, index))],
  }));
}

function problemsOf({ loci, ends }: ToldQuestion): readonly string[] {
  if (loci === undefined || ends === "unasked") return [];
  if (loci === "silent") return [`recall: Loci did not answer within ${impatience} ms.`];
  const stage = loci === "fails to keep" ? "capture" : "recall";
  return [`${stage}: The server is out of reach, as the conversation tells.`];
}
