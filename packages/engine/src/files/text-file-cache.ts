import { throwIfAborted } from "@loci/domain";
import { type FileState, isSameState, TextFile } from "./text-file.ts";

const maxEntries = 1_000;

interface Entry {
  readonly state: FileState;
  readonly text: string;
}

/** Texts of files, read again when the time of their last change or their size is another. */
export class TextFileCache {
  /** In order of use, the longest unused first. */
  readonly #entries = new Map<string, Entry>();

  /**
   * @param name what errors call the file
   * @throws LociError `TEXT_TOO_LARGE`, `INVALID_REQUEST` for what is not a file or not UTF-8
   */
  async read(path: string, name: string, signal?: AbortSignal): Promise<string> {
    await using file = await TextFile.open(path, name);
    const { state } = file;
    const known = this.#entries.get(path);
    this.#entries.delete(path);
    throwIfAborted(signal);
    const entry = known !== undefined && isSameState(known.state, state) ? known : { state, text: await file.read() };
    this.#entries.set(path, entry);
    if (this.#entries.size > maxEntries)
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    return entry.text;
  }
}
