import type { SectionSource } from "@loci/domain";

export type FilePrefix = "file:" | "teamFile:";

/**
 * The section that shows a file, if one does: the one that names it, else the one of its folder, `file:skills/*`.
 *
 * @param sources of a layout
 */
export function sourceOfFile(
  name: string,
  prefix: FilePrefix,
  sources: readonly SectionSource[],
): SectionSource | undefined {
  const folder = `${prefix}${name.slice(0, name.lastIndexOf("/") + 1)}*`;
  return (
    sources.find((source) => source === `${prefix}${name}`) ??
    (name.includes("/") ? sources.find((source) => source === folder) : undefined)
  );
}

/** True for a source that stands for every file of a folder. */
export function isFolder(source: SectionSource): boolean {
  return source.endsWith("/*");
}
