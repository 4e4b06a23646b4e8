import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { findLayout } from "@loci/core";
import {
  checkFields,
  type DayLog,
  fieldsOf,
  type Instant,
  type LayeredFiles,
  type LayoutDefinition,
  type LayoutName,
  LociError,
  parseInstant,
  throwIfAborted,
} from "@loci/domain";
import { dayNames, shownDays } from "../../sessions/day-names.ts";
import { toFileError } from "../../files/file-error.ts";
import { TextFileCache } from "../../files/text-file-cache.ts";

export interface ReadLayeredFilesOptions {
  /** Holds `IDENTITY.md` and its like, `daily/yyyy-mm-dd.md` and, for each team, `teams/TEAM/GOALS.md` and its like. */
  readonly directory: string;
  /** Whose sections decide which files are read. Default `layeredFiles`. */
  readonly layout?: LayoutName | LayoutDefinition | undefined;
  /** The name of a folder in `teams`. Without it no team's files are read. */
  readonly team?: string | undefined;
  /** Ends the days that are read. */
  readonly now: Instant;
  /** Where midnight is, as an IANA name such as `Europe/Berlin`. Default `UTC`. */
  readonly timeZone?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const optionFields = fieldsOf<ReadLayeredFilesOptions>({
  directory: true,
  layout: true,
  team: true,
  now: true,
  timeZone: true,
  signal: true,
});

/** A context shows all of a folder's files: more belong into memories. */
const mostFilesOfFolder = 100;
const teamName = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u;

/**
 * Reads an agent's folder for a layout. Every call looks at every file, and reads again only those whose time or size
 * changed. Files that are not there are left out.
 */
export class LayeredFilesReader {
  readonly #cache = new TextFileCache();

  /**
   * @throws LociError `FILE_NOT_FOUND` when there is no such folder, or it is none; `INVALID_LAYOUT`; `INVALID_INSTANT`; `INVALID_REQUEST`
   *   for an option that is unknown, a link that leads out of the folder, a file that is not UTF-8, a team's name with a
   *   path in it or an unknown time zone; `TEXT_TOO_LARGE` for a file of more than 1 MiB
   */
  async read(options: ReadLayeredFilesOptions): Promise<LayeredFiles> {
    checkFields(options, optionFields, "options");
    const { directory, layout = "layeredFiles", team, timeZone = "UTC", signal } = options;
    const now = parseInstant(options.now, "now");
    const sources = findLayout(layout).sections.map(({ source }) => source);
    const root = await rootOf(directory);
    const named = (prefix: string): readonly string[] =>
      sources.filter((source) => source.startsWith(prefix)).map((source) => source.slice(prefix.length));
    const days = sources.includes("days") ? dayNames(now, timeZone, shownDays) : [];
    const [files, teamFiles, texts] = await Promise.all([
      this.#readNamed(root, [], named("file:"), signal),
      team === undefined ? {} : this.#readNamed(root, ["teams", checkTeam(team)], named("teamFile:"), signal),
      this.#readNamed(
        root,
        ["daily"],
        days.map((day) => `${day}.md`),
        signal,
      ),
    ]);
    const logs = Object.entries(texts).map(([name, text]): DayLog => ({ date: name.slice(0, -".md".length), text }));
    return { files, teamFiles, days: logs };
  }

  async #readNamed(
    root: string,
    folders: readonly string[],
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Readonly<Record<string, string>>> {
    const files = await Promise.all(names.map((name) => filesOf(join(root, ...folders), name)));
    const entries = await Promise.all(
      [...new Set(files.flat())].map(
        async (name) => [name, await this.#readOne(root, join(root, ...folders, name), signal)] as const,
      ),
    );
    return Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => entry[1] !== undefined));
  }

  async #readOne(root: string, path: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    throwIfAborted(signal);
    const real = await realpath(path).catch((error: unknown) => absent(relative(root, path), error));
    if (real === undefined) return undefined;
    const inside = relative(root, real);
    if (inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
      throw new LociError("INVALID_REQUEST", {
        message: `${relative(root, path)} is a link that leads out of its folder.`,
        resource: relative(root, path),
        advice: "Put the file itself into the folder.",
      });
    return this.#cache.read(real, relative(root, path), signal);
  }
}

/** The file of that name, or the Markdown files of a folder, when it ends with a star. Hidden ones are not read. */
async function filesOf(directory: string, name: string): Promise<readonly string[]> {
  if (!name.endsWith("/*")) return [name];
  const folder = name.slice(0, -1);
  const found = (await readdir(join(directory, folder)).catch((error: unknown) => absent(folder, error))) ?? [];
  const texts = found.filter((file) => file.endsWith(".md") && !file.startsWith(".")).toSorted();
  if (texts.length <= mostFilesOfFolder) return texts.map((file) => folder + file);
  throw new LociError("INVALID_REQUEST", {
    message: `${folder} holds ${texts.length} files, more than the ${mostFilesOfFolder} that are read.`,
    resource: folder,
    advice: "Name the files that every context needs in the layout, and import the others as memories.",
  });
}

async function rootOf(directory: string): Promise<string> {
  try {
    const root = await realpath(directory);
    if ((await stat(root)).isDirectory()) return root;
  } catch (cause) {
    const known = toFileError(directory, cause);
    if (LociError.is(known)) throw known;
    throw new LociError("FILE_NOT_FOUND", {
      message: `The folder ${directory} cannot be read: ${(cause as Error).message}`,
      resource: directory,
      advice: "Give the folder that holds IDENTITY.md.",
      cause,
    });
  }
  // Every file of it would count as missing, and the context be empty.
  throw new LociError("FILE_NOT_FOUND", {
    message: `${directory} is not a folder.`,
    resource: directory,
    advice: "Give the folder that holds IDENTITY.md.",
  });
}

function checkTeam(team: string): string {
  if (teamName.test(team)) return team;
  throw new LociError("INVALID_REQUEST", {
    message: "The team is not the name of a folder.",
    field: "team",
    advice: "Use letters, digits, spaces, dots, dashes and underscores, beginning with a letter or digit.",
  });
}

function absent(name: string, error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  throw toFileError(name, error);
}
