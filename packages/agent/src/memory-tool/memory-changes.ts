import {
  type Block,
  type BlocksApi,
  type BlockValues,
  formatScope,
  LociError,
  memoryFileSchema,
  type Scope,
} from "@loci/domain";
import { MemoryToolError } from "./memory-command.ts";
import { memoryFileLabel, memoryFileOf, memoryFileOperations, memoryFileValues } from "./memory-file.ts";
import { readMemoryBlock, readMemoryTree } from "./memory-tree.ts";
import type { MemoryChange } from "./planned-command.ts";
import { shownPath } from "./memory-path.ts";

/** What happens to files that a model makes: a person decides about them, or they are there at once. */
export type MemoryPolicy = "approve" | "auto";

/** Somebody else was quicker: what a change was planned for is not so any more. */
export class OutdatedPlan extends Error {}

/** So often somebody else may write a file while it is moved or removed. */
const mostAttempts = 20;

/** Makes the changes of a command, each as a whole. */
export class MemoryChanges {
  readonly #blocks: BlocksApi;
  readonly #owner: Scope;
  readonly #policy: MemoryPolicy;
  readonly #signal: AbortSignal | undefined;
  readonly #proposed: string[] = [];

  constructor(blocks: BlocksApi, owner: Scope, how: { policy: MemoryPolicy; signal: AbortSignal | undefined }) {
    this.#blocks = blocks;
    this.#owner = owner;
    this.#policy = how.policy;
    this.#signal = how.signal;
  }

  /** The ids of the edits that wait for a person. */
  get proposed(): readonly string[] {
    return this.#proposed;
  }

  /** @throws OutdatedPlan before anything was changed, when a file is not as it was read */
  async make(change: MemoryChange): Promise<void> {
    switch (change.kind) {
      case "create":
        return this.#create(change.path, change.text);
      case "edit":
        return this.#write(
          change.file.block,
          memoryFileValues(change.file.path, change.text),
          "Edit",
          change.file.path,
        );
      case "move":
        return this.#move(change.from, change.to);
      case "remove":
        return this.#remove(change.path);
      case "removeKept":
        return this.#remove(`${change.directory}/`);
      case "keep":
        return this.#keep(change.directory);
    }
  }

  async #create(path: string, text: string): Promise<void> {
    const block = await this.#read(path);
    if (block !== undefined && memoryFileOf(block) !== undefined) throw new OutdatedPlan();
    await this.#put(path, { block, values: memoryFileValues(path, text), verb: "Create" });
  }

  /** Until a person has decided about what is in them, directories are what paths say. */
  async #keep(directory: string): Promise<void> {
    if (this.#policy !== "auto") return;
    const path = `${directory}/`;
    try {
      await this.#again(async () => {
        const block = await this.#read(path);
        if (block !== undefined && memoryFileOf(block) !== undefined) return;
        await this.#put(path, { block, values: memoryFileValues(directory, undefined), verb: "Keep" });
      });
    } catch (error) {
      // Where there is no place for it, an empty directory goes: nobody could delete anything otherwise.
      if (!isFull(error)) throw error;
    }
  }

  async #remove(path: string): Promise<void> {
    await this.#again(async () => {
      const block = await this.#read(path);
      if (block !== undefined && memoryFileOf(block) !== undefined) await this.#write(block, {}, "Delete", path);
    });
  }

  /** First it stands at both places, then at the new one alone: nothing is lost in between. */
  async #move(from: string, to: string): Promise<void> {
    let isBegun = false;
    await this.#again(async () => {
      const source = await this.#read(from);
      const file = source && memoryFileOf(source);
      if (source === undefined || file === undefined) return;
      if (source.policy === "read_only") throw readOnly(from);
      const block = await this.#read(to);
      if (!isBegun && block !== undefined && memoryFileOf(block) !== undefined)
        throw new MemoryToolError(`The destination ${shownPath(to)} already exists`);
      await this.#put(to, { block, values: memoryFileValues(to, file.text), verb: "Move here:" });
      isBegun = true;
      await this.#write(source, {}, "Move away:", from);
    });
  }

  async #again(work: () => Promise<void>): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof OutdatedPlan) || attempt === mostAttempts) throw error;
      }
  }

  /** Writes what a path is to hold, where nothing is or what was read. */
  async #put(
    path: string,
    { block, values, verb }: { readonly block: Block | undefined; readonly values: BlockValues; readonly verb: string },
  ): Promise<void> {
    const known = block ?? (await this.#begin(path, values, verb));
    if (known !== undefined) await this.#write(known, values, verb, path);
  }

  /** Makes a block of a path: with its values where nobody has to decide, and then nothing is left to do; else as a place for edits. */
  async #begin(path: string, values: BlockValues, verb: string): Promise<Block | undefined> {
    const isAuto = this.#policy === "auto";
    const name = { owner: formatScope(this.#owner), label: memoryFileLabel(path), schema: memoryFileSchema };
    const content = isAuto ? { values, policy: "auto" as const, reason: reasonOf(verb, path) } : {};
    for (let mayMakeRoom = true; ; mayMakeRoom = false)
      try {
        const made = await this.#blocks.create({ ...name, ...content }, this.#options);
        return isAuto ? undefined : made;
      } catch (error) {
        if (hasReason(error, "BLOCK_EXISTS")) throw new OutdatedPlan();
        if (!mayMakeRoom || !isFull(error) || !(await this.#makeRoom())) throw error;
      }
  }

  /** Takes away the block of a file that was deleted long ago. Its history stays. */
  async #makeRoom(): Promise<boolean> {
    const tree = await readMemoryTree(this.#blocks, this.#owner, this.#signal);
    const empty = [...tree.blocks.values()].filter((block) => memoryFileOf(block) === undefined && block.version > 1);
    for (const { label, etag } of empty.toSorted((left, right) => left.updatedAt - right.updatedAt)) {
      const owner = formatScope(this.#owner);
      const { edits } = await this.#blocks.listEdits({ owner, label, pageSize: 1 }, this.#options);
      if (edits.length > 0) continue;
      try {
        await this.#blocks.delete({ owner, label }, { etag }, this.#options);
        return true;
      } catch (error) {
        if (!LociError.is(error) || error.reason === "CANCELLED") throw error;
        if (error.reason === "ROLE_REQUIRED") return false;
      }
    }
    return false;
  }

  async #write(block: Block, values: BlockValues, verb: string, path: string): Promise<void> {
    const owner = formatScope(this.#owner);
    const { label, etag, version: baseVersion } = block;
    const reason = reasonOf(verb, path);
    try {
      if (block.policy === "auto") {
        await this.#blocks.update({ owner, label }, { values, reason }, { etag }, this.#options);
        return;
      }
      const operations = memoryFileOperations(block.values, values);
      // What it says already needs no decision.
      if (operations.length === 0) return;
      const edit = await this.#blocks.propose({ owner, label, baseVersion, operations, reason }, this.#options);
      if (edit.state === "pending") this.#proposed.push(edit.id);
    } catch (error) {
      if (["VERSION_CONFLICT", "EDIT_CONFLICT", "BLOCK_NOT_FOUND"].some((name) => hasReason(error, name)))
        throw new OutdatedPlan("The file has changed.", { cause: error });
      throw error;
    }
  }

  #read(path: string): Promise<Block | undefined> {
    return readMemoryBlock(this.#blocks, this.#owner, path, this.#signal);
  }

  get #options(): { readonly signal: AbortSignal | undefined } {
    return { signal: this.#signal };
  }
}

function reasonOf(verb: string, path: string): string {
  return `${verb} ${shownPath(path)}`;
}

function readOnly(path: string): MemoryToolError {
  return new MemoryToolError(`The file ${shownPath(path)} may not be changed.`);
}

/** Whether the owner has as many files as there may be. */
function isFull(error: unknown): boolean {
  return hasReason(error, "BLOCK_LIMIT_EXCEEDED") && error.field === "owner";
}

function hasReason(error: unknown, reason: string): error is LociError {
  return LociError.is(error) && error.reason === reason;
}
