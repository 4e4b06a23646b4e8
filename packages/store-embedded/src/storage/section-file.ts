import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { writeDurably } from "./durable-file.ts";
import { damaged, errorCode } from "./storage-error.ts";

/** Named runs of bytes that make up an immutable file. */
export type Sections = ReadonlyMap<string, Uint8Array>;

/** Gives the memory that a section is read into. Default: a buffer of its own. */
export type SectionMemory = (name: string, bytes: number) => Uint8Array | undefined;

const magic = Buffer.from("LOCIIDX1", "latin1");
const preambleBytes = magic.length + 8;

interface SectionTable {
  readonly sections: readonly { readonly name: string; readonly bytes: number; readonly crc: number }[];
}

/**
 * Writes sections to a file, durably: eight bytes of magic, length and checksum of the table, the table as JSON, then
 * the sections without gaps, so that every byte of the file is under a checksum.
 */
export async function writeSectionFile(path: string, sections: Sections): Promise<void> {
  const table: SectionTable = {
    sections: [...sections].map(([name, bytes]) => ({ name, bytes: bytes.byteLength, crc: crc32(bytes) })),
  };
  const tableBytes = Buffer.from(JSON.stringify(table));
  const preamble = Buffer.alloc(preambleBytes);
  magic.copy(preamble);
  preamble.writeUInt32LE(tableBytes.byteLength, magic.length);
  preamble.writeUInt32LE(crc32(tableBytes), magic.length + 4);
  await writeDurably(path, [preamble, tableBytes, ...sections.values()]);
}

/**
 * Reads a file back. Synchronous: opening an index blocks its thread, not the program.
 *
 * @throws LociError `DATA_DIRECTORY_CORRUPT` when the file is missing, cut short or changed; else what the system threw
 */
export function readSectionFile(path: string, memory: SectionMemory): Sections {
  const file = openForReading(path);
  try {
    const size = fstatSync(file).size;
    const preamble = readPart(file, path, Buffer.alloc(preambleBytes));
    if (!magic.equals(preamble.subarray(0, magic.length))) throw damaged(path, "does not begin as an index file does");
    const tableLength = preamble.readUInt32LE(magic.length);
    if (tableLength > size) throw damaged(path, "names a table longer than the file");
    const tableBytes = readPart(file, path, Buffer.alloc(tableLength));
    if (crc32(tableBytes) !== preamble.readUInt32LE(magic.length + 4)) throw damaged(path, "has a changed table");
    const { sections } = JSON.parse(tableBytes.toString()) as SectionTable;
    const expected = sections.reduce((sum, { bytes }) => sum + bytes, preambleBytes + tableLength);
    if (expected !== size) throw damaged(path, `is ${size} bytes long, not ${expected}`);
    return new Map(
      sections.map(({ name, bytes, crc }) => {
        const part = readPart(file, path, memory(name, bytes) ?? new Uint8Array(bytes));
        if (crc32(part) !== crc) throw damaged(path, `has changed bytes in ${name}`);
        return [name, part];
      }),
    );
  } finally {
    closeSync(file);
  }
}

/** Opens a file that must exist. @throws LociError `DATA_DIRECTORY_CORRUPT` when it does not */
export function openForReading(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw errorCode(error) === "ENOENT" ? damaged(path, "is missing", error) : error;
  }
}

function readPart<Part extends Uint8Array>(file: number, path: string, part: Part): Part {
  let done = 0;
  while (done < part.byteLength) {
    const read = readSync(file, part, done, part.byteLength - done, null);
    if (read === 0) throw damaged(path, "is cut short");
    done += read;
  }
  return part;
}

/** The bytes that a typed array stands on. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** @throws LociError `DATA_DIRECTORY_CORRUPT` when the file has no such section */
export function sectionOf(sections: Sections, name: string, path: string): Uint8Array {
  const bytes = sections.get(name);
  if (bytes === undefined) throw damaged(path, `has no section ${name}`);
  return bytes;
}

/** Views a section as numbers. Its bytes must begin a buffer, as those that `readSectionFile` makes do. */
export function uint32Section(sections: Sections, name: string, path: string): Uint32Array {
  const bytes = sectionOf(sections, name, path);
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

/** A section that holds JSON. */
export function jsonSection(sections: Sections, name: string, path: string): unknown {
  return JSON.parse(Buffer.from(sectionOf(sections, name, path)).toString());
}
