import { type Block, type BlocksApi, formatScope, LociError, memoryFileSchema, type Scope } from "@loci/domain";
import { type MemoryFile, memoryFileLabel, memoryFileOf } from "./memory-file.ts";
import { directoriesOf, isWithin } from "./memory-path.ts";

/** What stands below `/memories` of an owner. */
export class MemoryTree {
  /** The files by path. */
  readonly files: ReadonlyMap<string, MemoryFile & { readonly text: string }>;
  /** The directories that are kept although nothing need be in them, by path. */
  readonly kept: ReadonlyMap<string, MemoryFile>;
  /** Every directory there is, the root among them. */
  readonly directories: ReadonlySet<string>;
  /** Every block of a file or a directory, those that say nothing any more as well, by label. */
  readonly blocks: ReadonlyMap<string, Block>;

  constructor(blocks: readonly Block[]) {
    const found = blocks.flatMap((block) => memoryFileOf(block) ?? []);
    this.blocks = new Map(blocks.map((block) => [block.label, block]));
    this.files = new Map(found.filter(isFile).map((file) => [file.path, file]));
    this.kept = new Map(found.filter((file) => !isFile(file)).map((directory) => [directory.path, directory]));
    this.directories = new Set(["", ...this.kept.keys(), ...found.flatMap(({ path }) => directoriesOf(path))]);
  }

  /** Whether anything is at a path. */
  has(path: string): boolean {
    return this.files.has(path) || this.directories.has(path);
  }

  /** The files in a directory at any depth, by path. */
  filesWithin(directory: string): readonly MemoryFile[] {
    return [...this.files.values()].filter(({ path }) => isWithin(path, directory)).toSorted(byPath);
  }
}

function isFile(file: MemoryFile): file is MemoryFile & { readonly text: string } {
  return file.text !== undefined;
}

function byPath(left: MemoryFile, right: MemoryFile): number {
  return left.path < right.path ? -1 : 1;
}

/** Reads what stands below `/memories` of an owner. */
export async function readMemoryTree(
  blocks: BlocksApi,
  owner: Scope,
  signal: AbortSignal | undefined,
): Promise<MemoryTree> {
  const found: Block[] = [];
  for (let after: string | undefined; ;) {
    const page = await blocks.list({ owner, schema: memoryFileSchema, after }, { signal });
    found.push(...page);
    after = page.at(-1)?.label;
    if (after === undefined) return new MemoryTree(found);
  }
}

/** Reads the block of one path, whether it says something or not. */
export async function readMemoryBlock(
  blocks: BlocksApi,
  owner: Scope,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Block | undefined> {
  try {
    return await blocks.get({ owner: formatScope(owner), label: memoryFileLabel(path) }, { signal });
  } catch (error) {
    if (LociError.is(error) && error.reason === "BLOCK_NOT_FOUND") return undefined;
    throw error;
  }
}
