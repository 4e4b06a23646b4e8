import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";
import { damaged, errorCode, toStorageError } from "./storage-error.ts";

const waitForDisk = promisify(fdatasync);
const headerBytes = 8;

/**
 * An append-only file of records, each behind its length and checksum. Appending does not wait for the disk: what is in
 * the log can be had from the ledger again.
 *
 * When the power fails, anything since the last `sync` may be missing, zeros or cut short. Reading stops at the first
 * record that is not whole: what comes before it is a state the index was once in.
 */
export class ChangeLog {
  readonly path: string;
  readonly #file: number;
  #bytes: number;
  /** What is read from a file may have been written by a process that never waited for the disk. */
  #syncedBytes = 0;
  /** False when an append failed: what it wrote may stand behind the last record. */
  #isEndKnown = true;

  private constructor(path: string, file: number, bytes: number) {
    this.path = path;
    this.#file = file;
    this.#bytes = bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether there is nothing in the file, not even of an append that failed. */
  get isEmpty(): boolean {
    return this.#bytes === 0 && this.#isEndKnown;
  }

  /** Starts an empty log. */
  static create(path: string): ChangeLog {
    return new ChangeLog(path, openSync(path, "w"), 0);
  }

  /**
   * Opens a log, hands over its records in order, and removes what stands behind the last one.
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
    try {
      if (end < bytes.byteLength) cutOff(file, end);
    } catch (error) {
      closeSync(file);
      throw error;
    }
    return new ChangeLog(path, file, end);
  }

  /**
   * Appends a record. When that fails, the log is as before.
   *
   * @throws LociError `DISK_FULL`, `STORE_UNAVAILABLE`
   */
  append(record: unknown): void {
    const body = serialize(record);
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(body.byteLength, 0);
    header.writeUInt32LE(crc32(body), 4);
    try {
      if (!this.#isEndKnown) cutOff(this.#file, this.#bytes);
      this.#isEndKnown = false;
      writeWhole(this.#file, Buffer.concat([header, body]), this.#bytes);
      this.#isEndKnown = true;
    } catch (error) {
      throw toStorageError(error, this.path);
    }
    this.#bytes += headerBytes + body.byteLength;
  }

  /**
   * Waits until everything appended before is on the disk.
   *
   * @throws LociError `DISK_FULL`, `STORE_UNAVAILABLE`: what was not on the disk before may never be
   */
  async sync(): Promise<void> {
    if (this.#syncedBytes === this.#bytes) return;
    const bytes = this.#bytes;
    try {
      await waitForDisk(this.#file);
    } catch (error) {
      throw toStorageError(error, this.path);
    }
    this.#syncedBytes = bytes;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/**
 * Removes what stands behind the last record, durably: a whole record among it would come back behind the next one, if that
 * is as long as what was lost in between, and the changes in between would be missing for good.
 */
function cutOff(file: number, bytes: number): void {
  ftruncateSync(file, bytes);
  fdatasyncSync(file);
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
  const length = bytes.readUInt32LE(start);
  const end = start + headerBytes + length;
  // No record is empty, but zeros would pass for one.
  if (length === 0 || end > bytes.byteLength) return undefined;
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
