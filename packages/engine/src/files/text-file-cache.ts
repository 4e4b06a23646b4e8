import { throwIfAborted } from "@loci/domain";
import { RecentlyUsed } from "../calls/recently-used.ts";
import { type FileState, isSameState, TextFile } from "./text-file.ts";

/** Files that are kept at most, and UTF-16 units of all their texts together. */
const limits = { mostValues: 1_000, mostSize: 32_000_000 };

interface Entry {
  readonly state: FileState;
  readonly text: string;
}

/** Texts of files, read again when the time of their last change or their size is another. */
export class TextFileCache {
  readonly #entries = new RecentlyUsed<Entry>(limits);

  /**
   * @param name what errors call the file
   * @throws LociError `TEXT_TOO_LARGE`, `INVALID_REQUEST` for what is not a file or not UTF-8
   */
  async read(path: string, name: string, signal?: AbortSignal): Promise<string> {
    await using file = await TextFile.open(path, name);
    const { state } = file;
    const known = this.#entries.take(path);
    throwIfAborted(signal);
    const entry = known !== undefined && isSameState(known.state, state) ? known : { state, text: await file.read() };
    this.#entries.keep(path, entry, entry.text.length);
    return entry.text;
  }
}
