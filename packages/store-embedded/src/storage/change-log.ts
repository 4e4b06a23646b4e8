import { fdatasync, ftruncateSync, openSync, readFileSync, writeSync, closeSync } from "node:fs";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { damaged, errorCode, toStorageError } from "./storage-error.ts";

const waitForDisk = promisify(fdatasync);
const headerBytes = 8;

/**
 * An append-only file of records, each behind its length and checksum.
 *
 * A crash can only cut the last record short. Reading stops at the first record that is not whole: what comes before it
 * is a state the index was once in, and the ledger has the rest.
 */
export class ChangeLog {
  readonly path: string;
  readonly #file: number;
  #bytes: number;

  private constructor(path: string, file: number, bytes: number) {
    this.path = path;
    this.#file = file;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Starts an empty log. */
  static create(path: string): ChangeLog {
    return new ChangeLog(path, openSync(path, "w"), 0);
  }

  /**
   * Opens a log and hands over its records in order.
   *
   * @throws LociError `DATA_DIRECTORY_CORRUPT` when it is missing; what `replay` throws
   */
  static open(path: string, replay: (record: unknown) => void): ChangeLog {
    const bytes = readLog(path);
    let end = 0;
    for (;;) {
      const record = recordAt(bytes, end);
      if (record === undefined) break;
      replay(recordOf(record, path));
      end += headerBytes + record.byteLength;
    }
    const file = openSync(path, "r+");
    if (end < bytes.byteLength) ftruncateSync(file, end);
    return new ChangeLog(path, file, end);
  }

  /**
   * Appends a record and waits until it is on the disk. When that fails, the log is as before.
   *
   * @throws LociError `DISK_FULL`, `STORE_UNAVAILABLE`
   */
  async append(record: unknown): Promise<void> {
    const body = serialize(record);
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(body.byteLength, 0);
    header.writeUInt32LE(crc32(body), 4);
    try {
      writeWhole(this.#file, Buffer.concat([header, body]), this.#bytes);
      await waitForDisk(this.#file);
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw toStorageError(error, this.path);
    }
    this.#bytes += headerBytes + body.byteLength;
  }

  close(): void {
    closeSync(this.#file);
  }
}

function readLog(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw errorCode(error) === "ENOENT" ? damaged(path, "is missing", error) : error;
  }
}

function recordAt(bytes: Buffer, start: number): Buffer | undefined {
  if (start + headerBytes > bytes.byteLength) return undefined;
  const end = start + headerBytes + bytes.readUInt32LE(start);
  if (end > bytes.byteLength) return undefined;
  const body = bytes.subarray(start + headerBytes, end);
  return crc32(body) === bytes.readUInt32LE(start + 4) ? body : undefined;
}

function recordOf(body: Buffer, path: string): unknown {
  try {
    return deserialize(body);
  } catch (error) {
    throw damaged(path, "was written by another version of Node.js, which this one cannot read", error);
  }
}

function writeWhole(file: number, bytes: Uint8Array, position: number): void {
  let written = 0;
  while (written < bytes.byteLength)
    written += writeSync(file, bytes, written, bytes.byteLength - written, position + written);
}
