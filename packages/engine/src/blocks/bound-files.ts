import { resolve } from "node:path";
import { checkBlockValues } from "@loci/core";
import {
  type BlockOwner,
  blockLabel,
  blockValue,
  checkFields,
  etagOf,
  fieldsOf,
  formatBlockOwner,
  isRefusal,
  LociError,
  parseBlockOwner,
  type Principal,
  type Scope,
  type ScopeInput,
  type TenantId,
} from "@loci/domain";
import { blockFamily } from "@loci/ledger";
import type { Call } from "../calls/call.ts";
import { KeyedLock } from "../calls/keyed-lock.ts";
import { blockOfEntry, type BlockRecord, type StoredBlock } from "./block-records.ts";
import { type KnownOwner, readBlocksOf, readOwner } from "./block-owners.ts";
import type { BlockServices } from "./block-services.ts";
import { createBlock, updateBlock } from "./change-block.ts";
import { documentText } from "./document-text.ts";
import { fileState, readSettledText, replaceSettledText } from "../files/settled-text-file.ts";
import { type FileState, isSameState } from "../files/text-file.ts";

/** Which document of whom is kept as which file. */
export interface BoundFileInput {
  /** `agent:ID`, `user:ID`, `team:ID` or `project:ID`. */
  readonly owner: ScopeInput;
  /** Of a document. Default `core_memory`. */
  readonly label?: string | undefined;
  /** A text in UTF-8 of at most 1 MiB. */
  readonly file: string;
}

/** A file that was bound. */
export interface BoundFile {
  /** Why its document is not what it says; absent when it is. */
  readonly problem: LociError | undefined;
  /** Lets document and file go their own ways. */
  unbind(): void;
}

/** A file whose document is not what it says. */
export interface BoundFileProblem {
  readonly label: string;
  readonly error: LociError;
}

/** Whose files a context is about to show. */
export interface ShownFiles {
  readonly tenant: TenantId;
  readonly owners: readonly Scope[];
  readonly labels: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

interface Binding {
  readonly tenant: TenantId;
  readonly owner: BlockOwner;
  readonly label: string;
  readonly file: string;
  /** As it was when it was looked at last. */
  seen: FileState | undefined;
  /** Of the owner, then: each change of a block of theirs makes another. */
  ownerVersion: string | undefined;
  problem: LociError | undefined;
}

const inputFields = fieldsOf<BoundFileInput>({ owner: true, label: true, file: true });
const author = "file";
/** Versions that are looked through for what a file says. */
const mostVersions = 100;

/**
 * Documents that people keep as files of their own. A file that was changed becomes a version, by `file`; a document that was
 * changed otherwise is written into its file. Looked at before each context that shows them, which costs a look at the file and
 * a row as long as neither has changed.
 */
export class BoundFiles {
  /** By tenant, owner and label. */
  readonly #bindings = new Map<string, Binding>();
  readonly #looks = new KeyedLock();

  /**
   * Binds a file, and looks at it.
   *
   * @throws LociError `INVALID_REQUEST`, `INVALID_SCOPE`, `INVALID_IDENTIFIER`
   */
  async bind(
    services: BlockServices,
    { tenant, signal }: Pick<ShownFiles, "tenant" | "signal">,
    input: BoundFileInput,
  ): Promise<BoundFile> {
    checkFields(input, inputFields, "binding");
    const owner = parseBlockOwner(input.owner);
    const label = blockLabel(input.label ?? "core_memory");
    const key = keyOf(tenant, owner, label);
    const unknown = { seen: undefined, ownerVersion: undefined, problem: undefined };
    const binding: Binding = { tenant, owner, label, file: resolve(input.file), ...unknown };
    const unbind = (): void => {
      if (this.#bindings.get(key) === binding) this.#bindings.delete(key);
    };
    this.#bindings.set(key, binding);
    try {
      await this.#look(services, binding, signal);
    } catch (error) {
      // Nobody could unbind it.
      unbind();
      throw error;
    }
    return { problem: binding.problem, unbind };
  }

  /** Brings documents and files together. What is wrong with a file is told, and its document stays as it is. */
  async look(
    services: BlockServices,
    { tenant, owners, labels, signal }: ShownFiles,
  ): Promise<readonly BoundFileProblem[]> {
    if (this.#bindings.size === 0) return [];
    const bound = owners.flatMap((owner) =>
      [...labels].flatMap((label) => this.#bindings.get(keyOf(tenant, owner, label)) ?? []),
    );
    await Promise.all(bound.map((binding) => this.#look(services, binding, signal)));
    return bound.flatMap(({ label, problem: error }) => (error === undefined ? [] : [{ label, error }]));
  }

  /** Those who ask at the same time wait for each other. */
  async #look(services: BlockServices, binding: Binding, signal: AbortSignal): Promise<void> {
    const { tenant, owner, label } = binding;
    await this.#looks.run(keyOf(tenant, owner, label), () => bringTogether(services, binding, signal));
  }
}

async function bringTogether(services: BlockServices, binding: Binding, signal: AbortSignal): Promise<void> {
  const { tenant, owner, label, file } = binding;
  const principal: Principal = {
    tenant,
    subject: author,
    roles: ["read", "write", "approve"],
    scopePatterns: [formatBlockOwner(owner)],
  };
  const call: Call = { principal, signal };
  const known = await readOwner(services, call, owner);
  try {
    const now = await fileState(file);
    if (now !== undefined && isSameState(now, binding.seen) && versionOf(known) === binding.ownerVersion) return;
    const { state, text } = await readSettledText(file, signal);
    const since = sinceSeen(binding, state);
    binding.seen = await takeOver({ services, call, known, label }, { file, state, text, since });
    binding.problem = undefined;
    binding.ownerVersion = versionOf(await readOwner(services, call, owner));
  } catch (error) {
    // Anything else is no matter of the file.
    if (!isRefusal(error)) throw error;
    // Somebody else has written it meanwhile: looked at again the next time.
    if (error.reason === "VERSION_CONFLICT") return;
    binding.problem = error;
    // Who may use it is nothing that the state of a file tells: it is looked at again until it can be used.
    binding.seen = error.reason === "INVALID_CONFIGURATION" ? undefined : await fileState(file).catch(() => undefined);
    binding.ownerVersion = versionOf(known);
  }
}

interface Document {
  readonly services: BlockServices;
  readonly call: Call;
  readonly known: KnownOwner;
  readonly label: string;
}

interface ReadFile {
  readonly file: string;
  readonly state: FileState;
  readonly text: string;
  readonly since: SinceSeen;
}

/** What became of a file since it was looked at: `unknown` for the first look. */
type SinceSeen = "unchanged" | "changed" | "unknown";

/** One that could not be taken over is looked at as if somebody had changed it. */
function sinceSeen({ seen, problem }: Binding, state: FileState): SinceSeen {
  if (seen === undefined) return "unknown";
  return isSameState(state, seen) && problem === undefined ? "unchanged" : "changed";
}

/** @returns the state of the file that says what the document says */
async function takeOver(
  { services, call, known, label }: Document,
  { file, state, text, since }: ReadFile,
): Promise<FileState | undefined> {
  const [block] = await readBlocksOf(services, call, known, [label]);
  const reason = `Changed in ${file.slice(-500)}`;
  if (block === undefined) {
    if (since === "unchanged") throw removed(label);
    await createBlock(services, call, { owner: known.owner, label, values: { text }, reason });
    return state;
  }
  const current = documentText(block);
  const given = String(blockValue(checkBlockValues(block.schema, { text }), "text") ?? "");
  if (withoutEnd(given) === withoutEnd(current)) return state;
  const isOlder = since === "unknown" ? await wasOnce({ services, call }, block, given) : since === "unchanged";
  if (isOlder) return replaceSettledText(file, `${withoutEnd(current)}\n`, state);
  const { ref, version } = block;
  const etag = etagOf(ref, version);
  await updateBlock(services, call, {
    name: { owner: known.owner, label },
    patch: { values: { text }, reason },
    precondition: { etag },
  });
  return state;
}

/** Whether a file that nobody has looked at in this process says what the document said before. */
async function wasOnce(
  { services, call }: Pick<Document, "services" | "call">,
  block: StoredBlock,
  given: string,
): Promise<boolean> {
  const entries = await services.ledger.resources.entries(
    call.principal.tenant,
    { family: blockFamily, ref: block.ref, order: "newestFirst", limit: mostVersions },
    { signal: call.signal },
  );
  return entries.some(
    (entry) =>
      (entry.payload as BlockRecord).toml !== null &&
      withoutEnd(documentText(blockOfEntry(block, entry))) === withoutEnd(given),
  );
}

function removed(label: string): LociError {
  return new LociError("BLOCK_NOT_FOUND", {
    message: `The block ${label} was deleted, and its file has not changed since.`,
    resource: label,
    advice: "Change the file to begin it again, or restore a version.",
  });
}

function withoutEnd(text: string): string {
  return text.trimEnd();
}

function versionOf({ ref, version }: KnownOwner): string {
  return `${ref} ${version}`;
}

function keyOf(tenant: TenantId, owner: Scope, label: string): string {
  return `${tenant}\n${owner.kind}\n${"id" in owner ? owner.id : ""}\n${label}`;
}
