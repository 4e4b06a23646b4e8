import type { proto } from "@loci/api";
import type { Role } from "@loci/loci";

/** Who may make a call, and what it takes of the server. */
export interface MethodRule {
  /** The role a credential needs; `any`: whichever it has. Which scopes it may touch is the engine's part. */
  readonly role: Role | "any";
  /** Another role that is enough here: the engine asks for the first one where it must. */
  readonly orRole?: Role;
  /**
   * `wait`: it does no work but waits, so it takes no handler from those that do. `stream`: it answers for as long as its
   * caller likes, so streams have a limit of their own.
   */
  readonly kind: "read" | "write" | "wait" | "stream";
}

/** Every service of the contract, by the name of its definition. */
export type Services = {
  readonly [Name in keyof typeof proto as Name extends `${string}ServiceService` ? Name : never]: (typeof proto)[Name];
};

/** The path of every method of every service, such as `/loci.v1.MemoryService/GetMemory`. */
export type MethodPath = {
  readonly [Name in keyof Services]: PathsOf<Services[Name]>;
}[keyof Services];

type PathsOf<Definition> = {
  readonly [Name in keyof Definition]: Definition[Name] extends { readonly path: infer Path } ? Path : never;
}[keyof Definition];

const read: MethodRule = { role: "read", kind: "read" };
const write: MethodRule = { role: "write", kind: "write" };
const approve: MethodRule = { role: "approve", kind: "write" };
const admin: MethodRule = { role: "admin", kind: "write" };

/** The rule of every method. The compiler refuses a method without one, and so does the server when it starts. */
export const methodRules: Readonly<Record<MethodPath, MethodRule>> = {
  "/loci.v1.MemoryService/CreateMemory": write,
  "/loci.v1.MemoryService/BatchCreateMemories": write,
  "/loci.v1.MemoryService/CreateMemoriesFromConversation": write,
  "/loci.v1.MemoryService/GetMemory": read,
  "/loci.v1.MemoryService/BatchGetMemories": read,
  "/loci.v1.MemoryService/ListMemories": read,
  "/loci.v1.MemoryService/ListMemoryIds": { role: "read", kind: "stream" },
  "/loci.v1.MemoryService/ListMemoryScopes": read,
  "/loci.v1.MemoryService/UpdateMemory": write,
  "/loci.v1.MemoryService/DeleteMemory": write,
  "/loci.v1.MemoryService/ListMemoryVersions": read,
  "/loci.v1.MemoryService/RestoreMemory": write,
  "/loci.v1.MemoryService/MarkMemoriesUsed": write,
  "/loci.v1.MemoryService/RecallMemories": read,
  "/loci.v1.MemoryService/WatchMemories": { role: "read", kind: "stream" },
  "/loci.v1.MemoryService/ExportMemories": { role: "admin", kind: "stream" },
  "/loci.v1.SessionService/CreateSession": write,
  "/loci.v1.SessionService/GetSession": read,
  "/loci.v1.SessionService/ListSessions": read,
  "/loci.v1.SessionService/CloseSession": write,
  "/loci.v1.SessionService/ReopenSession": write,
  "/loci.v1.SessionService/DeleteSession": write,
  "/loci.v1.SessionService/AppendTurns": write,
  "/loci.v1.SessionService/AppendTurnsAndAssembleContext": write,
  "/loci.v1.SessionService/AppendTurnsAndCapture": write,
  "/loci.v1.SessionService/ListTurns": read,
  "/loci.v1.SessionService/GetTurnState": read,
  "/loci.v1.SessionService/SaveTurnState": write,
  "/loci.v1.SessionService/MergeTurnState": write,
  "/loci.v1.SessionService/GetDailyLog": read,
  // Who writes may make a place for a file of a memory tool.
  "/loci.v1.BlockService/CreateBlock": { role: "approve", orRole: "write", kind: "write" },
  "/loci.v1.BlockService/GetBlock": read,
  "/loci.v1.BlockService/ListBlocks": read,
  "/loci.v1.BlockService/UpdateBlock": write,
  "/loci.v1.BlockService/DeleteBlock": approve,
  "/loci.v1.BlockService/RestoreBlock": write,
  "/loci.v1.BlockService/ListBlockVersions": read,
  "/loci.v1.BlockService/DiffBlockVersions": read,
  "/loci.v1.BlockService/ProposeBlockEdit": write,
  "/loci.v1.BlockService/GetBlockEdit": read,
  "/loci.v1.BlockService/ListBlockEdits": read,
  "/loci.v1.BlockService/ApproveBlockEdit": approve,
  "/loci.v1.BlockService/RejectBlockEdit": approve,
  "/loci.v1.BlockService/WithdrawBlockEdit": write,
  "/loci.v1.BlockService/UpdateProfile": write,
  "/loci.v1.BlockService/GetProfileSummary": read,
  "/loci.v1.BlockService/SearchArchival": read,
  "/loci.v1.BlockService/PromoteMemory": write,
  "/loci.v1.BlockService/DemoteLine": approve,
  "/loci.v1.BlockService/CreateBlockSchema": admin,
  "/loci.v1.BlockService/ListBlockSchemas": read,
  "/loci.v1.BlockService/DeleteBlockSchema": admin,
  "/loci.v1.CaptureService/StartCapture": write,
  "/loci.v1.CaptureService/GetCapture": read,
  "/loci.v1.CaptureService/WaitCapture": { role: "read", kind: "wait" },
  "/loci.v1.CaptureService/ListCaptures": read,
  "/loci.v1.CaptureService/CancelCapture": write,
  "/loci.v1.CaptureService/UndoCapture": write,
  "/loci.v1.CaptureService/ReplayCapture": read,
  "/loci.v1.CaptureService/RecordPostMortem": write,
  "/loci.v1.CaptureService/ListReviews": { role: "approve", kind: "read" },
  "/loci.v1.CaptureService/DecideReview": { role: "approve", kind: "write" },
  "/loci.v1.CaptureService/ListEvidence": read,
  "/loci.v1.ContextService/AssembleContext": read,
  "/loci.v1.ContextService/ListReceipts": read,
  "/loci.v1.ContextService/GetReceipt": read,
  "/loci.v1.ContextService/CountTokens": read,
  "/loci.v1.ContextService/CheckBudget": read,
  "/loci.v1.ContextService/EnforceBudget": read,
  "/loci.v1.ContextService/TrimMessages": read,
  "/loci.v1.ContextService/RecordModelUsage": write,
  "/loci.v1.ContextService/GetModelUsageTotals": read,
  // Who may read may wait for what was written, and stop waiting. Whose an operation is the registry checks.
  "/loci.v1.OperationService/SettleIndexes": read,
  "/loci.v1.OperationService/GetOperation": read,
  "/loci.v1.OperationService/WaitOperation": { role: "read", kind: "wait" },
  "/loci.v1.OperationService/CancelOperation": read,
  // What concerns every tenant needs the role operate besides, which the engine asks for.
  "/loci.v1.MaintenanceService/StartMaintenance": admin,
  "/loci.v1.MaintenanceService/ExportMemories": admin,
  "/loci.v1.MaintenanceService/ImportMemories": admin,
  "/loci.v1.MaintenanceService/ExportRecords": { role: "admin", kind: "stream" },
  "/loci.v1.MaintenanceService/ImportRecords": admin,
  // Nobody is told more than what its credential is.
  "/loci.v1.StatusService/GetCaller": { role: "any", kind: "read" },
  "/loci.v1.StatusService/GetStatus": read,
};

/** The rule of a path, or `undefined` for what is not of Loci, such as health. */
export function ruleOf(path: string): MethodRule | undefined {
  return Object.hasOwn(methodRules, path) ? methodRules[path as MethodPath] : undefined;
}
