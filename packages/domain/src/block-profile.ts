import type { Block } from "./block.ts";
import type { ProposedBlockEdit } from "./block-edit.ts";
import type { CallOptions } from "./call-options.ts";
import type { Memory } from "./memory.ts";
import type { ScopeInput } from "./scope.ts";

/** What a session with a user is doing, as a human block says. */
export const profileStates = ["idle", "active_task", "waiting_input", "thinking", "error_recovery"] as const;

export type ProfileState = (typeof profileStates)[number];

/** What a program says about its user. */
export type ProfileCall =
  /** Another task than the current one archives that first. `context` becomes a note. */
  | { readonly call: "setTask"; readonly text: string; readonly context?: string | undefined }
  /** No task any more. With `archive`, it goes into archival memory with its notes. */
  | { readonly call: "clearTask"; readonly archive: boolean }
  | { readonly call: "learnPreference" | "learnFact" | "addContext"; readonly text: string }
  | { readonly call: "setState"; readonly state: ProfileState };

/** Names a human block. */
export interface ProfileName {
  readonly owner: ScopeInput;
  /** Default `human`. */
  readonly label?: string | undefined;
}

/** What {@link ProfileApi.update} takes. */
export interface UpdateProfileRequest extends ProfileName {
  readonly update: ProfileCall;
}

/** What {@link ProfileApi.searchArchival} takes. */
export interface SearchArchivalRequest extends ProfileName {
  readonly query: string;
  /** 1 to 100. Default 5. */
  readonly limit?: number | undefined;
}

/** What became of a profile's update. */
export interface UpdatedProfile {
  readonly block: Block;
  /** There when the update became a proposal. */
  readonly edit?: ProposedBlockEdit | undefined;
}

/** The human block of a user, by what is to be said of them. */
export interface ProfileApi {
  /**
   * Entries over a list's limit, and finished tasks with their notes, become memories of the owner in the same commit.
   *
   * @throws LociError `BLOCK_NOT_FOUND`, `INVALID_BLOCK` for a block of another schema than human, `BLOCK_READ_ONLY`
   */
  update(request: UpdateProfileRequest, options?: CallOptions): Promise<UpdatedProfile>;
  /** The block as it stands in a context. */
  summary(name: ProfileName, options?: CallOptions): Promise<string>;
  /** What left the block and fits a question, best first. */
  searchArchival(request: SearchArchivalRequest, options?: CallOptions): Promise<readonly Memory[]>;
}
