import type { AssemblyWarning, Principal } from "@loci/domain";
import { accountName } from "../calls/principal-account.ts";
import type { TaskAges } from "./task-ages.ts";
import type { CheckedAssembleRequest } from "./validate-assemble-request.ts";

/** From this turn on, with the same task in all of them, a task is stale. */
const staleTurns = 10;

/**
 * A warning when a session has had the same task for ten turns. Only for a request that says which session it belongs to
 * (`recall.rotation`) and counts as a turn (`recordUsage`).
 */
export function staleTaskWarnings(
  ages: TaskAges,
  principal: Principal,
  { task = "", question, recall, recordUsage, layout }: CheckedAssembleRequest,
): readonly AssemblyWarning[] {
  const rotation = recall?.rotation;
  if (rotation === undefined || recordUsage === "none" || task.trim() === "") return [];
  const { session } = rotation;
  const owner = accountName(principal, rotation.owner);
  const turns = ages.note(principal.tenant, { owner, session, task, query: question.text });
  if (turns < staleTurns) return [];
  const section = layout.sections.find(({ source }) => source === "task")?.name;
  return [
    {
      reason: "STALE_TASK",
      ...(section === undefined ? {} : { section }),
      message: `The task has been the same for ${turns} turns of this session.`,
      advice: "Say what is being done now, or leave the task out once it is done.",
    },
  ];
}
