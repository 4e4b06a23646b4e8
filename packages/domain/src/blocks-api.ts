import type { Block, BlockPolicy, BlockVersion } from "./block.ts";
import type {
  BlockEditPreview,
  BlockEditState,
  BlockFieldChange,
  BlockOperation,
  ProposedBlockEdit,
} from "./block-edit.ts";
import type { ProfileApi } from "./block-profile.ts";
import type { BlockSchema, BlockValues } from "./block-schema.ts";
import type { CallOptions } from "./call-options.ts";
import type { Version } from "./identifiers.ts";
import type { EtagPrecondition } from "./memory-input.ts";
import type { ScopeInput } from "./scope.ts";

/** Names a block: labels are one of their kind at an owner. */
export interface BlockName {
  /** `user:ID`, `agent:ID`, `team:ID` or `project:ID`. */
  readonly owner: ScopeInput;
  readonly label: string;
}

/** A version by its number, or by at least 7 digits of its commit id. */
export type BlockVersionName = Version | string;

/** What {@link BlocksApi.create} takes. */
export interface BlockInput extends BlockName {
  /** The name of its schema. Default: the label. */
  readonly schema?: string | undefined;
  /** At most one of the four. Default: what the schema has as defaults; for `core_memory` its template. */
  readonly values?: BlockValues | undefined;
  readonly markdown?: string | undefined;
  readonly toml?: string | undefined;
  /** A persona that comes with Loci: `assistant`, `code_helper`, `researcher`. */
  readonly preset?: string | undefined;
  /** Default `approve`. Any other needs the role admin. */
  readonly policy?: BlockPolicy | undefined;
  /** One line of at most 1,000 UTF-16 units. Default: the schema's. */
  readonly description?: string | undefined;
  /** What the version is for, at most 1,000 UTF-16 units: the message of its commit. */
  readonly reason?: string | undefined;
}

/** What an update changes: the content as a whole, or by operations; the policy; the description. */
export interface BlockPatch {
  /** At most one of the four. Fields that are left out of a content are emptied, or get their defaults. */
  readonly values?: BlockValues | undefined;
  readonly markdown?: string | undefined;
  readonly toml?: string | undefined;
  readonly operations?: readonly BlockOperation[] | undefined;
  /** Needs the role admin. */
  readonly policy?: BlockPolicy | undefined;
  /** `null` removes it. */
  readonly description?: string | null | undefined;
  readonly reason?: string | undefined;
}

/** A block with its content in every form. */
export interface BlockDocument extends Block {
  /** As it stands in a context, before it is escaped. */
  readonly text: string;
  /** For people to edit, and to be given back to `update`. */
  readonly markdown: string;
  /** As the git mirror has it. */
  readonly toml: string;
  /** The commit that brought this version. */
  readonly commitId: string;
}

/** What became of a write: a new version, or an edit that waits for somebody with the role approve. */
export interface BlockWrite {
  /** As it stands now. */
  readonly block: Block;
  /** There when the write became a proposal. */
  readonly edit?: ProposedBlockEdit | undefined;
}

/** What {@link BlocksApi.list} takes. */
export interface ListBlocksRequest {
  readonly owner: ScopeInput;
  /** Only blocks of this schema. Default: of all but `memory_file`, the files of a memory tool. */
  readonly schema?: string | undefined;
  /** Only blocks whose labels come after this one: the last of an answer, to get those after them. */
  readonly after?: string | undefined;
}

/** What {@link BlocksApi.history} takes. */
export interface BlockHistoryRequest extends BlockName {
  /** 1 to 1,000. Default 10. */
  readonly pageSize?: number | undefined;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string | undefined;
}

export interface BlockHistory {
  /** Newest first. The removal of a block is a version, too. */
  readonly versions: readonly BlockVersion[];
  /** Absent on the last page. */
  readonly nextPageToken?: string | undefined;
}

/** What {@link BlocksApi.diff} takes. */
export interface BlockDiffRequest extends BlockName {
  readonly from: BlockVersionName;
  /** Default: the newest version. */
  readonly to?: BlockVersionName | undefined;
}

/** The fields in which two versions differ. A removed block has none with a value. */
export interface BlockDiff {
  readonly from: Version;
  readonly to: Version;
  readonly changes: readonly BlockFieldChange[];
}

/** What {@link BlocksApi.restore} takes. */
export interface RestoreBlockRequest extends BlockName {
  readonly version: BlockVersionName;
  readonly reason?: string | undefined;
}

/** What {@link BlocksApi.propose} takes. */
export interface ProposeEditRequest extends BlockName {
  /** The version that was read. Default: the current one. */
  readonly baseVersion?: Version | undefined;
  /** 1 to 64. */
  readonly operations: readonly BlockOperation[];
  /** At most 1,000 UTF-16 units. */
  readonly reason?: string | undefined;
}

/** An edit, and what it would make of its block now. */
export interface BlockEditDetails {
  readonly edit: ProposedBlockEdit;
  /** Of a pending edit that can be applied. */
  readonly preview?: BlockEditPreview | undefined;
  /** Why a pending edit cannot be applied to the block as it stands. */
  readonly conflict?: string | undefined;
}

/** What {@link BlocksApi.getEdit} takes. */
export interface GetBlockEditRequest {
  readonly id: string;
  /** Operations to preview, as positions. Default: all. */
  readonly hunks?: readonly number[] | undefined;
}

/** What {@link BlocksApi.listEdits} takes. */
export interface ListBlockEditsRequest {
  readonly owner: ScopeInput;
  /** Default: of all blocks of the owner. */
  readonly label?: string | undefined;
  /** Default: pending ones. */
  readonly states?: readonly BlockEditState[] | undefined;
  /** 1 to 1,000. Default 50. */
  readonly pageSize?: number | undefined;
  readonly pageToken?: string | undefined;
}

export interface ListBlockEditsResult {
  /** In the order in which they were proposed. */
  readonly edits: readonly ProposedBlockEdit[];
  readonly nextPageToken?: string | undefined;
}

/** What {@link BlocksApi.approve} takes: which edit, and what was looked at. */
export interface ApproveEditRequest {
  readonly id: string;
  /** Of the preview. */
  readonly baseVersion: Version;
  /** Of the preview. */
  readonly contentHash: string;
  /** The operations to approve, as positions; the others are rejected with that. Default: all. */
  readonly hunks?: readonly number[] | undefined;
  /** True: everything is checked, and nothing is written. Default false. */
  readonly validateOnly?: boolean | undefined;
}

/** An edit after it was approved, and its block. */
export interface ApprovedBlockEdit {
  readonly edit: ProposedBlockEdit;
  readonly block: Block;
}

/** What {@link BlocksApi.promote} takes. */
export interface PromoteMemoryRequest extends BlockName {
  /** The memory that gets a line. It stays a memory, too. */
  readonly memory: string;
  /** The heading below which it stands. */
  readonly heading: string;
}

/** What {@link BlocksApi.demote} takes. */
export interface DemoteLineRequest extends BlockName {
  /** As it stands there, or without its bullet. It becomes a memory of the owner. */
  readonly line: string;
}

/** The forms that blocks have. Those that come with Loci are there in every tenant. */
export interface BlockSchemasApi {
  /** @throws LociError `SCHEMA_EXISTS`, `INVALID_SCHEMA`. Needs the role admin and the scope global. */
  create(schema: BlockSchema, options?: CallOptions): Promise<BlockSchema>;
  /** Those that come with Loci, then those of the tenant by name. */
  list(options?: CallOptions): Promise<readonly BlockSchema[]>;
  /** @throws LociError `SCHEMA_NOT_FOUND`, `SCHEMA_IN_USE` while a block has it or when it comes with Loci */
  delete(name: string, options?: CallOptions): Promise<void>;
}

/**
 * Blocks: what stands in each context of its owner, in versions that people can look at, approve and take back.
 *
 * Whoever has the role `approve` writes at once. What others with the role `write` write becomes an edit that waits, unless
 * the policy of the block is `auto`. A `read_only` block is not changed by anybody until its policy is.
 */
export interface BlocksApi {
  readonly schemas: BlockSchemasApi;
  /** What a program says about its user, without knowing the block's form. */
  readonly profile: ProfileApi;
  /**
   * Needs the role approve; a file of a memory tool that says nothing yet only write.
   *
   * @throws LociError `BLOCK_EXISTS`, `SCHEMA_NOT_FOUND`, `INVALID_BLOCK`, `BLOCK_LIMIT_EXCEEDED`
   */
  create(input: BlockInput, options?: CallOptions): Promise<Block>;
  /** @param name with a version, the block as it was then. @throws LociError `BLOCK_NOT_FOUND`, `VERSION_NOT_FOUND` */
  get(
    name: BlockName & { readonly version?: BlockVersionName | undefined },
    options?: CallOptions,
  ): Promise<BlockDocument>;
  /** By label. At most 64 at a time, of files fewer when they are long: ask with `after` until there are no more. */
  list(request: ListBlocksRequest, options?: CallOptions): Promise<readonly Block[]>;
  /** @throws LociError `VERSION_CONFLICT` when the etag is not the current one, `BLOCK_READ_ONLY`, as {@link create} */
  update(
    name: BlockName,
    patch: BlockPatch,
    precondition: EtagPrecondition,
    options?: CallOptions,
  ): Promise<BlockWrite>;
  /** Needs the role approve. Its history stays, and pending edits are superseded. */
  delete(name: BlockName, precondition?: EtagPrecondition, options?: CallOptions): Promise<void>;
  history(request: BlockHistoryRequest, options?: CallOptions): Promise<BlockHistory>;
  diff(request: BlockDiffRequest, options?: CallOptions): Promise<BlockDiff>;
  /** Makes an old version's content the newest version. Also brings back what was deleted. */
  restore(request: RestoreBlockRequest, options?: CallOptions): Promise<BlockWrite>;
  /** A pending edit; with the policy `auto` one that took effect. @throws LociError `BLOCK_READ_ONLY` */
  propose(request: ProposeEditRequest, options?: CallOptions): Promise<ProposedBlockEdit>;
  /** @throws LociError `EDIT_NOT_FOUND` */
  getEdit(request: GetBlockEditRequest, options?: CallOptions): Promise<BlockEditDetails>;
  listEdits(request: ListBlockEditsRequest, options?: CallOptions): Promise<ListBlockEditsResult>;
  /** Needs the role approve. @throws LociError `EDIT_CONFLICT` when it is not what was looked at, `EDIT_NOT_PENDING` */
  approve(request: ApproveEditRequest, options?: CallOptions): Promise<ApprovedBlockEdit>;
  /** Needs the role approve. */
  reject(id: string, options?: CallOptions): Promise<ProposedBlockEdit>;
  /** By who proposed it. */
  withdraw(id: string, options?: CallOptions): Promise<ProposedBlockEdit>;
  /** Appends `- text` of a memory below a heading of a document. */
  promote(request: PromoteMemoryRequest, options?: CallOptions): Promise<BlockWrite>;
  /** Takes a line out of a document and makes a memory of it. Needs the role approve. */
  demote(request: DemoteLineRequest, options?: CallOptions): Promise<BlockWrite>;
}
