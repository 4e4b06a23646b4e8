import type { AgentMemory, KnownConversation } from "@loci/agent";
import type { TurnInput } from "@loci/domain";
import type { AgentInputItem, RunContext, Runner } from "@openai/agents-core";
import { positionOf } from "./loci-input-filter.ts";
import { isOfUser, textOfUser } from "./recalled-in-items.ts";
import { lastShown } from "./shown-inputs.ts";
import {
  type AnsweredCall,
  answeredCalls,
  callIdOf,
  turnsOfCall,
  turnsOfItems,
  turnsWithCalls,
} from "./turns-of-items.ts";

type RunCall = Omit<AnsweredCall, "result"> & { result?: unknown };

interface Run {
  readonly position: number;
  readonly before: readonly TurnInput[];
  /** The latest message of the user, and those right before it. */
  readonly asked: readonly TurnInput[];
  readonly question: string;
  /** Calls of tools in the order in which they were begun: those of one step are answered in any. */
  readonly calls: RunCall[];
  readonly conversation: Promise<KnownConversation>;
  /** Whether another agent is about to go on with it. */
  isHandedOver: boolean;
}

/** So many items from before a question tell whether a run is kept already. */
const mostBefore = 100;

/**
 * Keeps what is said in the runs of a runner, and has memories made of it: the question, what tools were asked and returned, and the
 * answer. A run is kept once, when it is finished: one that failed, was stopped, or whose answer a guardrail refused is not.
 *
 * @param runner one that you made: the function `run` has one of its own, which tells nobody when a run ends
 */
export function captureRuns<Context = unknown>(
  runner: Pick<Runner, "on">,
  memory: Pick<AgentMemory<Context>, "conversationOf" | "finished">,
): void {
  const runs = new WeakMap<object, Run>();
  runner.on("agent_start", (context: RunContext<Context>, _agent, input = []) => {
    const known = runs.get(context);
    if (known?.isHandedOver === true) {
      known.isHandedOver = false;
      return;
    }
    const conversation = memory.conversationOf(context.context);
    // The input filter fails of it, before the model is called.
    conversation.catch(() => undefined);
    runs.set(context, begunRun(conversation, input));
  });
  runner.on("agent_handoff", (context) => {
    const run = runs.get(context);
    if (run !== undefined) run.isHandedOver = true;
  });
  runner.on("agent_tool_start", (context, _agent, { name }, { toolCall }) => {
    runs.get(context)?.calls.push({ tool: name, call: toolCall });
  });
  runner.on("agent_tool_end", (...[context, , , result, { toolCall }]) => {
    const id = callIdOf(toolCall);
    const begun = runs.get(context)?.calls.find((each) => callIdOf(each.call) === id && !("result" in each));
    if (begun !== undefined) begun.result = result;
  });
  runner.on("agent_end", (context, _agent, output) => {
    const run = runs.get(context) ?? resumedRun(context.context);
    runs.delete(context);
    if (run === undefined) return;
    const { position, before, question, asked, calls } = run;
    const answered = calls.filter((call): call is AnsweredCall => "result" in call);
    const turns: readonly TurnInput[] = [
      ...asked,
      ...(stepsShown(context.context, question, answered) ?? answered.flatMap(turnsOfCall)),
      { role: "assistant", content: output },
    ];
    void run.conversation.then(
      (conversation) => memory.finished({ conversation, position, before, question, turns }),
      () => undefined,
    );
  });
}

/**
 * The steps of a run as its last one was shown them: with what the model said beside its calls. `undefined` where it was not shown
 * all of these calls, as by a server that keeps the history itself, and where another run of the same context was shown something last.
 */
function stepsShown(
  context: unknown,
  question: string,
  answered: readonly AnsweredCall[],
): readonly TurnInput[] | undefined {
  const input = lastShown(context)?.input ?? [];
  const last = input.findLastIndex(isOfUser);
  const asked = input[last];
  if (answered.length === 0 || asked === undefined || !isOfUser(asked) || !textOfUser(asked).endsWith(question))
    return undefined;
  const steps = turnsWithCalls(input.slice(last + 1), answered);
  return steps.filter(({ role }) => role === "tool").length === answered.length ? steps : undefined;
}

function begunRun(conversation: Promise<KnownConversation>, input: readonly AgentInputItem[]): Run {
  const last = input.findLastIndex(isOfUser);
  const first = input.slice(0, last + 1).findLastIndex((item) => !isOfUser(item)) + 1;
  const latest = input[last];
  return {
    conversation,
    position: positionOf(input),
    before: turnsOfItems(input.slice(Math.max(0, first - mostBefore), first)),
    asked: turnsOfItems(input.slice(first, last + 1)),
    question: latest !== undefined && isOfUser(latest) ? textOfUser(latest) : "",
    calls: answeredCalls(input.slice(last + 1)),
    isHandedOver: false,
  };
}

/** One that began in another process and waited for somebody: what the model was shown last tells how. */
function resumedRun(context: unknown): Run | undefined {
  const shown = lastShown(context);
  return shown && begunRun(Promise.resolve(shown.conversation), shown.input);
}
