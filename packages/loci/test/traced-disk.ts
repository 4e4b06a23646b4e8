import { Buffer } from "node:buffer";
import { RecordedDisk } from "@loci/store/conformance";
import type { SystemCall } from "./system-calls.ts";

/** What is traced: everything that changes files or their names. */
export const tracedCalls: readonly string[] = `
  open openat creat close lseek
  write pwrite64 writev pwritev pwritev2 copy_file_range sendfile splice
  truncate ftruncate fallocate fsync fdatasync
  mkdir mkdirat rmdir link linkat unlink unlinkat
  rename renameat renameat2 symlink symlinkat
`
  .trim()
  .split(/\s+/);

/** Made anew by whoever opens the file first: of no use after the power has failed. */
const sharedMemory = "-shm";

/** The disk as the calls of a program leave it, below one directory. A call that it does not know is an error. */
export class TracedDisk {
  readonly disk: RecordedDisk;
  readonly #root: string;
  /** Where the next write without a place goes, by the number of the file; undefined: to its end. */
  readonly #places = new Map<string, number | undefined>();
  readonly #lengths = new Map<string, number>();

  /** @param root a directory that is there, empty, and stays */
  constructor(root: string) {
    this.#root = root;
    this.disk = new RecordedDisk(root);
  }

  apply({ name, values, result }: SystemCall): void {
    const path = pathOf(values[name.endsWith("at") || name === "renameat2" ? 1 : 0]);
    if (!path.startsWith(`${this.#root}/`) && !(path === this.#root && name === "fsync")) return;
    if (path.endsWith(sharedMemory) || path.includes(" (deleted)")) return;
    const [file = ""] = String(values[0]).split("<");
    switch (name) {
      case "openat":
        return this.#open(path, String(values[2]), String(result));
      case "write":
        return this.#writeOn(file, path, values[1] as Buffer, result);
      case "pwrite64":
        return this.#write(path, Number(values[3]), (values[1] as Buffer).subarray(0, result));
      case "ftruncate":
        this.#lengths.set(path, Number(values[1]));
        return this.disk.cut(path, Number(values[1]));
      case "lseek":
        this.#places.set(file, result);
        return;
      case "close":
        this.#places.delete(file);
        return;
      case "fsync":
      case "fdatasync":
        return this.disk.sync(path);
      case "mkdir":
      case "mkdirat":
        return this.disk.makeDirectory(path);
      case "rmdir":
      case "unlink":
      case "unlinkat":
        return this.disk.remove(path);
      case "linkat":
        this.#lengths.set(pathOf(values[3]), this.#lengths.get(path) ?? 0);
        return this.disk.link(path, pathOf(values[3]));
      case "rename":
        return this.#rename(path, pathOf(values[1]));
      case "renameat":
      case "renameat2":
        return this.#rename(path, pathOf(values[3]));
      default:
        throw new TypeError(`The recorded disk does not know ${name}, which was called for ${path}.`);
    }
  }

  #open(path: string, flags: string, file: string): void {
    if (/O_DIRECTORY|O_PATH/.test(flags)) return;
    this.#places.set(file, flags.includes("O_APPEND") ? undefined : 0);
    if (!flags.includes("O_CREAT") && !flags.includes("O_TRUNC")) return;
    const isEmptied = flags.includes("O_TRUNC");
    if (isEmptied || !this.#lengths.has(path)) this.#lengths.set(path, 0);
    this.disk.open(path, isEmptied);
  }

  #writeOn(file: string, path: string, bytes: Buffer, written: number): void {
    const isAppended = this.#places.get(file) === undefined;
    const at = this.#places.get(file) ?? this.#lengths.get(path) ?? 0;
    this.#write(path, at, bytes.subarray(0, written));
    if (!isAppended) this.#places.set(file, at + written);
  }

  #write(path: string, at: number, bytes: Buffer): void {
    this.#lengths.set(path, Math.max(this.#lengths.get(path) ?? 0, at + bytes.length));
    this.disk.write(path, at, bytes);
  }

  #rename(from: string, to: string): void {
    this.#lengths.set(to, this.#lengths.get(from) ?? 0);
    this.#lengths.delete(from);
    this.disk.rename(from, to);
  }
}

/** Of a file `25</data/log>`, or a path by itself. All paths of the programs are absolute. */
function pathOf(value: Buffer | string | undefined): string {
  return Buffer.isBuffer(value) ? value.toString() : (/^\w+<(.*)>$/s.exec(value ?? "")?.[1] ?? "");
}
