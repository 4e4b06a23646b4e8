import { stat } from "node:fs/promises";
import { relative, sep } from "node:path";
import {
  type CallOptions,
  checkIdentifier,
  everyMemory,
  type Instant,
  type Loci,
  LociError,
  type Memory,
  type MemoryPatch,
  type RememberInput,
  type ScopeInput,
} from "@loci/domain";
import { addReports, emptyReport, type ImportProgress, type ImportReport } from "./import-report.ts";
import { isNoDocument, readDocument } from "./read-document.ts";
import { findMarkdownFiles } from "./find-markdown-files.ts";
import { importRoot } from "./import-root.ts";
import { missingSources } from "./missing-sources.ts";
import { sourceTime } from "./source-time.ts";
import { splitMarkdown } from "./split-markdown.ts";
import { isRefused, rememberWithoutRefused } from "./without-refused.ts";

/** What {@link importMarkdown} takes. */
export interface ImportMarkdownRequest {
  /** Files, or folders that are searched for `*.md`. */
  readonly paths: readonly string[];
  readonly scope: ScopeInput;
  /** Sources are named by their path from here. Default: what {@link importRoot} finds for each of the paths. */
  readonly root?: string | undefined;
  /**
   * Forgets what is remembered of files below the folders of `paths` that are not there any more. Their memories can be restored.
   * Default false: they are told as `missing`. Sources are only known by their path: keep what is not of these folders in
   * another scope.
   */
  readonly forgetMissing?: boolean | undefined;
  /** Changes nothing, and reports what would be done. Secrets are not looked for: `refused` is 0. Default false. */
  readonly dryRun?: boolean | undefined;
  readonly onProgress?: ImportProgress | undefined;
}

const batchSize = 200;
const decisionRecord = /(?:^|\/)(?:adr-?)?\d{3,4}-[^/]+\.md$/iu;

/**
 * Keeps Markdown files as memories, one a section or a few short ones, as `splitMarkdown` cuts them, and follows them: importing
 * again stores what is new, makes new versions of what changed, forgets what is gone from a file, and leaves the rest alone.
 * Of a folder, files that are gone are told, or forgotten with `forgetMissing`.
 *
 * Pieces that hold a secret are left out and counted, and their files told. A file of a folder that is no text in UTF-8, cannot be read, or has a path that
 * can be no source's id, is left out and told; one that is named is refused for that.
 *
 * A file named like `0002-title.md` is a decision record: its memories are of category `decision` and cite an `adr`.
 * Others are of category `note` and cite a `document`. The source id is the file's path. What is new is as old as its
 * document: by the `date` of its front matter, else its last commit in git, else its file's time.
 *
 * @throws LociError as {@link readDocument} for a file that is named, and what storing throws
 */
export async function importMarkdown(
  loci: Loci,
  request: ImportMarkdownRequest,
  call?: CallOptions,
): Promise<ImportReport> {
  const files = await filesOf(request);
  const existing = await bySource(everyMemory(loci.memories, { scopes: [request.scope] }, call));
  let report = emptyReport;
  for (const [index, { file, source, isNamed }] of files.entries()) {
    const document = await readSource({ file, source }, call?.signal).catch((error: unknown) => {
      if (isNamed || !(isNoDocument(error) || isNoSource(error))) throw error;
      return error;
    });
    if (typeof document !== "string") {
      const { message, advice } = document;
      const problem = advice === undefined ? message : `${message} ${advice}`;
      report = addReports(report, { ...emptyReport, leftOut: [{ path: file, problem }] });
      request.onProgress?.(index + 1, files.length);
      continue;
    }
    const time = await sourceTime(file, document, call?.signal);
    const pieces = splitMarkdown(document);
    const inputs = pieces.map((text, position) =>
      memoryOf(text, position, { source, scope: request.scope, at: time.at }),
    );
    const follow = request.dryRun === true ? compareSource : followSource;
    const followed = await follow(loci, inputs, existing.get(source) ?? [], call);
    const refusedIn = followed.refused === 0 ? [] : [{ path: file, sections: followed.refused }];
    const times = { ...emptyReport.times, [time.from]: 1 };
    report = addReports(report, { ...emptyReport, ...followed, refusedIn, times });
    request.onProgress?.(index + 1, files.length);
  }
  return addReports(report, await withoutFiles(loci, request, existing, call));
}

/** A file with the name that it has as a source. */
interface SourceFile {
  readonly file: string;
  readonly source: string;
  /** Whether it is one of the paths, and not found in a folder. */
  readonly isNamed: boolean;
}

/** Each source once, also where a file is named besides its folder. */
async function filesOf({ paths, root: given }: ImportMarkdownRequest): Promise<readonly SourceFile[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const root = given ?? importRoot(path);
      return (await findMarkdownFiles(path)).map((file): SourceFile => {
        return { file, source: relative(root, file).split(sep).join("/"), isNamed: file === path };
      });
    }),
  );
  const files = new Map<string, SourceFile>();
  for (const each of found.flat()) if (each.isNamed || !files.has(each.source)) files.set(each.source, each);
  return [...files.values()];
}

/** What becomes of documents whose files are gone. */
async function withoutFiles(
  loci: Loci,
  { paths, root, forgetMissing = false, dryRun = false }: ImportMarkdownRequest,
  existing: ReadonlyMap<string, readonly Memory[]>,
  call: CallOptions | undefined,
): Promise<ImportReport> {
  const folders = [];
  for (const path of paths)
    if ((await stat(path)).isDirectory()) folders.push({ path, root: root ?? importRoot(path) });
  const missing = await missingSources(folders, existing, call?.signal);
  if (!forgetMissing)
    return {
      ...emptyReport,
      missing: missing.map(({ source, memories }) => ({ source, memories: memories.length })),
    };
  const gone = missing.flatMap(({ memories }) => memories);
  if (!dryRun) for (const { id, etag } of gone) await loci.memories.forget(id, { etag }, call);
  return { ...emptyReport, removed: gone.length };
}

/** @throws LociError as {@link readDocument}; `INVALID_IDENTIFIER` for a path that can be no source's id */
async function readSource(
  { file, source }: { readonly file: string; readonly source: string },
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    checkIdentifier(source, "path");
  } catch (cause) {
    if (!isNoSource(cause)) throw cause;
    throw new LociError(cause.reason, {
      message: `${file}: its ${cause.message}`,
      resource: file,
      advice: `What is remembered of a file names it by its path. Rename it: ${cause.advice}`,
      cause,
    });
  }
  return readDocument(file, signal);
}

function isNoSource(error: unknown): error is LociError {
  return LociError.is(error) && error.reason === "INVALID_IDENTIFIER";
}

/** Where pieces of a document come from, and where they go. */
interface PieceOrigin {
  readonly source: string;
  readonly scope: ScopeInput;
  readonly at: Instant;
}

function memoryOf(text: string, position: number, { source, scope, at }: PieceOrigin): RememberInput {
  const isDecision = decisionRecord.test(source);
  return {
    text,
    scope,
    category: isDecision ? "decision" : "note",
    origin: "import",
    provenance: { sourceId: source, kind: isDecision ? "adr" : "document", position, createdAt: at },
    createdAt: at,
    // Two documents may say the same, and each of them is followed.
    repeat: "add",
  };
}

/** Other words of a document hold from the time of the document. */
function sinceItSaysSo(memory: Memory, text: string, at: Instant | undefined): Pick<MemoryPatch, "validFrom"> {
  return at === undefined || memory.text === text ? {} : { validFrom: Math.min(at, Date.now()) };
}

/** What earlier imports stored, by source. */
async function bySource(memories: AsyncIterable<Memory>): Promise<ReadonlyMap<string, readonly Memory[]>> {
  const imported: Memory[] = [];
  for await (const memory of memories)
    if (memory.origin === "import" && memory.provenance !== undefined) imported.push(memory);
  return Map.groupBy(imported, ({ provenance }) => provenance?.sourceId ?? "");
}

/** What a report says of one source. */
type FollowedSource = Omit<ImportReport, "times" | "leftOut" | "refusedIn" | "missing">;

/** Makes what is stored of one source equal to what the source says now. */
async function followSource(
  loci: Loci,
  inputs: readonly RememberInput[],
  existing: readonly Memory[],
  call: CallOptions | undefined,
): Promise<FollowedSource> {
  const byPosition = new Map(existing.map((memory) => [memory.provenance?.position, memory]));
  const added = inputs.filter(({ provenance }) => !byPosition.has(provenance?.position));
  let [changed, refused, removed] = [0, 0, 0];
  for (const { text, category, provenance } of inputs) {
    const memory = byPosition.get(provenance?.position);
    if (memory === undefined || saysTheSame(memory, { text, category })) continue;
    const patch = { text, category, provenance, ...sinceItSaysSo(memory, text, provenance?.createdAt) };
    const update = () => loci.memories.update(memory.id, patch, { etag: memory.etag }, call);
    if (await isRefused(update)) {
      // What was read there before is no longer what the document says.
      await loci.memories.forget(memory.id, { etag: memory.etag }, call);
      refused += 1;
      removed += 1;
    } else changed += 1;
  }
  const gone = goneFrom(existing, inputs);
  for (const { id, etag } of gone) await loci.memories.forget(id, { etag }, call);
  let stored = 0;
  for (let start = 0; start < added.length; start += batchSize)
    stored += await rememberWithoutRefused(loci, added.slice(start, start + batchSize), call);
  return {
    files: 1,
    added: stored,
    changed,
    removed: gone.length + removed,
    unchanged: inputs.length - added.length - changed - refused,
    refused: added.length - stored + refused,
  };
}

/** What {@link followSource} would do, but for secrets. */
async function compareSource(
  _loci: Loci,
  inputs: readonly RememberInput[],
  existing: readonly Memory[],
): Promise<FollowedSource> {
  const byPosition = new Map(existing.map((memory) => [memory.provenance?.position, memory]));
  const stored = inputs.map((input) => ({ input, memory: byPosition.get(input.provenance?.position) }));
  const added = stored.filter(({ memory }) => memory === undefined).length;
  const unchanged = stored.filter(({ input, memory }) => memory !== undefined && saysTheSame(memory, input)).length;
  const changed = inputs.length - added - unchanged;
  return { files: 1, added, changed, removed: goneFrom(existing, inputs).length, unchanged, refused: 0 };
}

function saysTheSame(memory: Memory, input: Pick<RememberInput, "text" | "category">): boolean {
  return memory.text === input.text && memory.category === input.category;
}

function goneFrom(existing: readonly Memory[], inputs: readonly RememberInput[]): readonly Memory[] {
  return existing.filter(({ provenance }) => (provenance?.position ?? 0) >= inputs.length);
}
