import { type Loci, LociError, namesNobody, parseBlockOwner, type Scope, type ScopeInput } from "@loci/domain";
import { checkMemoryCommand, type MemoryCommand, type MemoryCommandOf, MemoryToolError } from "./memory-command.ts";
import { MemoryChanges, type MemoryPolicy, OutdatedPlan } from "./memory-changes.ts";
import { memoryFileOf } from "./memory-file.ts";
import { memoryPath } from "./memory-path.ts";
import { MemoryTree, readMemoryBlock, readMemoryTree } from "./memory-tree.ts";
import { pathNotFound, placeOf, planCommand, type PlannedCommand } from "./planned-command.ts";
import { shownDirectory, shownFile } from "./shown-memory.ts";
import { waitingForFile, waitingNotice, waitingWithin } from "./waiting-edits.ts";

export interface MemoryToolOptions {
  readonly loci: Loci;
  /** Whose files they are, such as `user:ann`: always the same, or found out for each command. Never from what a model says. */
  readonly owner: ScopeInput | (() => ScopeInput | undefined | Promise<ScopeInput | undefined>);
  /**
   * What happens to files that the model makes: `approve`, a person decides about each change, or `auto`, it takes effect at once, which
   * needs a credential with the role admin. A file that is there has its own policy. Default `approve`.
   */
  readonly policy?: MemoryPolicy | undefined;
  /** Stops every command. */
  readonly signal?: AbortSignal | undefined;
}

/** So often somebody else may be quicker. */
const mostAttempts = 20;

/** Anthropic's memory tool over blocks: what a model keeps for itself in files below `/memories`. */
export class MemoryTool {
  readonly #options: MemoryToolOptions;

  constructor(options: MemoryToolOptions) {
    this.#options = options;
  }

  /**
   * Does what a model asked.
   *
   * @returns what the model is shown
   * @throws MemoryToolError what the model is told when it is refused; LociError `SCOPE_REQUIRED` when nobody says whose files they are,
   *   `CANCELLED`
   */
  async run(
    given: unknown,
    { signal = this.#options.signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<string> {
    const owner = await this.#owner();
    const command = checkMemoryCommand(given);
    try {
      return command.command === "view"
        ? await this.#view(command, owner, signal)
        : await this.#change(command, owner, signal);
    } catch (error) {
      throw forModel(error);
    }
  }

  async #view(command: MemoryCommandOf<"view">, owner: Scope, signal: AbortSignal | undefined): Promise<string> {
    const { blocks } = this.#options.loci;
    const { path: given, view_range: range } = command;
    const path = memoryPath(given);
    const block = path === "" ? undefined : await readMemoryBlock(blocks, owner, path, signal);
    const file = block && memoryFileOf(block);
    const isDecided = block === undefined || block.policy === "auto";
    const waiting = isDecided ? 0 : await waitingForFile(blocks, owner, path, signal);
    if (file?.text !== undefined) return shownFile(given, file.text, range) + waitingNotice(waiting, "this file");
    const tree = await readMemoryTree(blocks, owner, signal);
    placeOf(given, tree);
    if (!tree.directories.has(path))
      throw new MemoryToolError(pathNotFound(given).message + waitingNotice(waiting, "this file"));
    const within = await waitingWithin(blocks, owner, { directory: path, tree }, signal);
    return shownDirectory(given, path, tree) + waitingNotice(within, "files in this directory");
  }

  async #change(
    command: Exclude<MemoryCommand, { command: "view" }>,
    owner: Scope,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const { loci, policy = "approve" } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const { changes, answer, isRefused } = await this.#plan(command, owner, signal);
      const made = new MemoryChanges(loci.blocks, owner, { policy, signal });
      try {
        for (const change of changes) await made.make(change);
      } catch (error) {
        if (error instanceof OutdatedPlan && attempt < mostAttempts) continue;
        throw error;
      }
      if (isRefused === true) throw new MemoryToolError(answer);
      return made.proposed.length === 0 ? answer : proposedNotice(made.proposed);
    }
  }

  /** What is changed in one file needs that file alone, as long as it is there. */
  async #plan(
    command: Exclude<MemoryCommand, { command: "view" }>,
    owner: Scope,
    signal: AbortSignal | undefined,
  ): Promise<PlannedCommand> {
    const { blocks } = this.#options.loci;
    if (command.command === "str_replace" || command.command === "insert") {
      const block = await readMemoryBlock(blocks, owner, memoryPath(command.path), signal);
      if (block !== undefined && memoryFileOf(block) !== undefined)
        return planCommand(command, new MemoryTree([block]));
    }
    return planCommand(command, await readMemoryTree(blocks, owner, signal));
  }

  async #owner(): Promise<Scope> {
    const { owner } = this.#options;
    const given = typeof owner === "function" ? await owner() : owner;
    if (given === undefined || namesNobody(given))
      throw new LociError("SCOPE_REQUIRED", {
        message: "Nobody said whose files they are. Nothing was read or written.",
        field: "owner",
        advice: 'Pass owner: "user:ann", or a function that returns it for each command.',
      });
    return parseBlockOwner(given);
  }
}

function proposedNotice(ids: readonly string[]): string {
  if (ids.length === 1) return `Proposed as edit ${ids[0]}: it takes effect when a person approves it.`;
  const last = ids.at(-1) ?? "";
  return `Proposed as edits ${ids.slice(0, -1).join(", ")} and ${last}: they take effect when a person approves them.`;
}

/** What is refused for a reason that a model can do something about says so in its words. */
function forModel(error: unknown): unknown {
  if (error instanceof OutdatedPlan)
    return new MemoryToolError("Others change this file again and again. Look at it, and try again.", { cause: error });
  if (!LociError.is(error) || error.reason === "CANCELLED") return error;
  const { message, advice } = error;
  return new MemoryToolError(advice === undefined ? message : `${message} ${advice}`, { cause: error });
}
