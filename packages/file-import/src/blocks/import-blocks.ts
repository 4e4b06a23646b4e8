import { lstat } from "node:fs/promises";
import {
  type Block,
  type BlockOperation,
  type ProposedBlockEdit,
  type CallOptions,
  isRefusal,
  type Loci,
  type ScopeInput,
} from "@loci/domain";
import { readDocument } from "../read-document.ts";
import { checkCoreMemoryFile } from "./check-core-memory-file.ts";
import { type FolderEdit, readBlockFolder, type SkippedFile } from "./read-block-folder.ts";
import { type CommittedBlock, readGitHistory } from "./read-git-history.ts";

/** What {@link importBlocks} takes. */
export interface ImportBlocksRequest {
  readonly owner: ScopeInput;
  /** A folder with `blocks/LABEL.toml`, such as a git mirror, or a core memory: a text in Markdown. */
  readonly path: string;
  /**
   * Of the block that a core memory becomes; with it any text is taken. Default `core_memory`, of a file that begins with its limits
   * or is called so.
   */
  readonly label?: string | undefined;
}

export interface BlocksReport {
  readonly created: number;
  readonly changed: number;
  /** Versions that came out of the folder's history, besides the newest ones. */
  readonly versions: number;
  readonly proposed: number;
  /** What was not taken over, and why. */
  readonly skipped: readonly SkippedFile[];
}

const reason = "Import from files";
const mostReason = 1_000;

/**
 * Takes over blocks: as versions with the messages of its commits, where the folder is a git repository and the owner does not
 * have the block yet, else as their newest version; edits that wait are proposed again. A file that cannot be taken over is told
 * of, and the others are. Again changes nothing.
 *
 * @throws LociError `FILE_NOT_FOUND`; `INVALID_BLOCK_TEXT` for a file that is no core memory; as `readGitHistory`; what the calls throw that is no matter of a file
 */
export async function importBlocks(
  loci: Pick<Loci, "blocks">,
  request: ImportBlocksRequest,
  call: CallOptions = {},
): Promise<BlocksReport> {
  const importer = new BlockImporter(loci, request.owner, call);
  if ((await lstat(request.path).catch(() => undefined))?.isFile() === true) {
    const text = await readDocument(request.path, call.signal);
    if (request.label === undefined) checkCoreMemoryFile(request.path, text);
    await importer.put(request.label ?? "core_memory", { values: { text }, reason }, request.path);
    return importer.report;
  }
  const folder = await readBlockFolder(request.path);
  importer.skipped.push(...folder.skipped);
  for (const change of (await readGitHistory(request.path, call.signal)) ?? []) await importer.replay(change);
  for (const [label, toml] of folder.blocks) await importer.put(label, { toml, reason }, `blocks/${label}.toml`);
  for (const edit of folder.edits) await importer.propose(edit);
  return importer.report;
}

type Content = { readonly reason: string } & (
  | { readonly toml: string }
  | { readonly values: { readonly text: string } }
);

class BlockImporter {
  readonly skipped: SkippedFile[] = [];
  readonly #loci: Pick<Loci, "blocks">;
  readonly #owner: ScopeInput;
  readonly #call: CallOptions;
  /** By label, as they stand. */
  #there: Map<string, Block> | undefined;
  /** Labels that the owner had before: their history stays as it is. */
  #known: ReadonlySet<string> = new Set();
  readonly #created = new Set<string>();
  readonly #changed = new Set<string>();
  #versions = 0;
  #proposed = 0;

  constructor(loci: Pick<Loci, "blocks">, owner: ScopeInput, call: CallOptions) {
    this.#loci = loci;
    this.#owner = owner;
    this.#call = call;
  }

  get report(): BlocksReport {
    const versions = this.#versions;
    return {
      created: this.#created.size,
      changed: this.#changed.size,
      versions,
      proposed: this.#proposed,
      skipped: this.skipped,
    };
  }

  /** A version, or a removal, of the history. */
  async replay({ label, toml, subject, author, committer, at, commitId }: CommittedBlock): Promise<void> {
    const there = await this.#blocks();
    if (this.#known.has(label)) return;
    const by = committer === author ? author : `${author}, approved by ${committer}`;
    const message = `${subject}\n\nImported: ${by}, ${at}, ${commitId}`.slice(0, mostReason).toWellFormed();
    const file = `blocks/${label}.toml at ${commitId.slice(0, 12)}`;
    const before = there.get(label);
    if (toml !== null) {
      if (await this.put(label, { toml, reason: message }, file)) this.#versions++;
    } else if (before !== undefined)
      await this.#trying(file, async () => {
        await this.#loci.blocks.delete({ owner: this.#owner, label }, { etag: before.etag }, this.#call);
        there.delete(label);
        this.#versions++;
      });
  }

  /** @returns whether it is a new version */
  async put(label: string, content: Content, file: string): Promise<boolean> {
    const there = await this.#blocks();
    const before = there.get(label);
    const owner = this.#owner;
    let isNew = false;
    await this.#trying(file, async () => {
      if (before === undefined) {
        there.set(label, await this.#loci.blocks.create({ owner, label, ...content }, this.#call));
        this.#created.add(label);
        isNew = true;
        return;
      }
      const { etag, version } = before;
      const { block } = await this.#loci.blocks.update({ owner, label }, content, { etag }, this.#call);
      there.set(label, block);
      isNew = block.version > version;
      if (isNew && this.#known.has(label)) this.#changed.add(label);
    });
    return isNew;
  }

  /** They were made for versions that are not these; what cannot be applied is refused. */
  async propose({ file, label, operations, reason: why = reason }: FolderEdit): Promise<void> {
    await this.#trying(file, async () => {
      const waiting = (await this.#pendingEdits(label)).map((edit) => sameEdit(edit.operations, edit.reason));
      if (waiting.includes(sameEdit(operations, why))) return;
      await this.#loci.blocks.propose({ owner: this.#owner, label, operations, reason: why }, this.#call);
      this.#proposed++;
    });
  }

  async #pendingEdits(label: string): Promise<readonly ProposedBlockEdit[]> {
    return (await this.#loci.blocks.listEdits({ owner: this.#owner, label, pageSize: 1_000 }, this.#call)).edits;
  }

  async #blocks(): Promise<Map<string, Block>> {
    if (this.#there === undefined) {
      const found = await this.#loci.blocks.list({ owner: this.#owner }, this.#call);
      this.#there = new Map(found.map((block) => [block.label, block]));
      this.#known = new Set(this.#there.keys());
    }
    return this.#there;
  }

  async #trying(file: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      this.skipped.push({ file, problem: error.message });
    }
  }
}

function sameEdit(operations: readonly BlockOperation[], why: string | undefined): string {
  const texts = operations.map((operation) =>
    JSON.stringify(Object.entries(operation).toSorted(([left], [right]) => (left < right ? -1 : 1))),
  );
  return JSON.stringify([texts, why]);
}
