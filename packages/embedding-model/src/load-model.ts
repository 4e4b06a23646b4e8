import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { ModelFileError } from "./model-file-error.ts";

/** What the model file holds. `factors[i]` is scale × token weight: the sum adds `table[i] * factors[i]`. */
export interface ModelTable {
  readonly version: number;
  readonly dimensions: number;
  readonly vocabulary: readonly string[];
  /** int8, row by row: vocabulary size × dimensions. */
  readonly table: Int8Array;
  readonly factors: Float32Array;
  /** SHA-256 of the file's body, in hex: equal digests give equal vectors. */
  readonly digest: string;
}

/**
 * The file of the model that ships in this package. Bundled code is away from it.
 * @throws ModelFileError in a bundle of CommonJS, which does not know where it is
 */
export function modelFile(): URL {
  const here: string | undefined = import.meta.url;
  if (here !== undefined) return new URL("../model/loci-static-256.bin", here);
  throw new ModelFileError(
    "The embedding model's file cannot be found from inside a bundle: leave @loci/embedding-model out of it (external), or name the file.",
  );
}

const MAGIC = "LOCISTAT";
const VERSION = 1;
const HEADER_BYTES = 64;

/** @throws ModelFileError when the file cannot be read or is not a valid model. */
export async function loadModel(file: URL | string = modelFile()): Promise<ModelTable> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
  return parseModel(bytes);
}

/** @throws ModelFileError when the file cannot be read or is not a valid model. */
export function loadModelSync(file: URL | string = modelFile()): ModelTable {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
  return parseModel(bytes);
}

/**
 * Checks and opens the bytes of a model file (layout: `model/README.md`).
 * The table is a view of `bytes`, which must not change afterwards.
 * @throws ModelFileError
 */
export function parseModel(bytes: Uint8Array): ModelTable {
  if (bytes.length < HEADER_BYTES) throw invalid(`it has ${bytes.length} bytes, a header takes ${HEADER_BYTES}`);
  const magic = new TextDecoder("latin1").decode(bytes.subarray(0, MAGIC.length));
  if (magic !== MAGIC) throw invalid(`it does not start with "${MAGIC}"`);
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const version = header.getUint32(8, true);
  if (version !== VERSION) throw invalid(`its version is ${version}, this package reads version ${VERSION}`);
  const dimensions = header.getUint32(12, true);
  const size = header.getUint32(16, true);
  const vocabularyBytes = header.getUint32(20, true);
  const tableAt = HEADER_BYTES + vocabularyBytes;
  const scalesAt = tableAt + size * dimensions;
  const weightsAt = scalesAt + size * 4;
  const expected = weightsAt + size * 4;
  if (bytes.length !== expected) throw invalid(`it has ${bytes.length} bytes, its header promises ${expected}`);

  const digest = createHash("sha256").update(bytes.subarray(HEADER_BYTES)).digest("hex");
  if (digest !== Buffer.from(bytes.subarray(24, 56)).toString("hex")) throw invalid("its checksum does not match");

  const vocabulary = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, tableAt)).split("\n").slice(0, size);
  if (vocabulary.length !== size) throw invalid(`it names ${vocabulary.length} tokens of ${size}`);
  const body = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const factors = new Float32Array(size);
  for (let token = 0; token < size; token++) {
    const scale = body.getFloat32(scalesAt + token * 4, true);
    const weight = body.getFloat32(weightsAt + token * 4, true);
    factors[token] = scale * weight;
  }
  const table = new Int8Array(bytes.buffer, bytes.byteOffset + tableAt, size * dimensions);
  return { version, dimensions, vocabulary, table, factors, digest };
}

function invalid(reason: string): ModelFileError {
  return new ModelFileError(`the embedding model file is not usable: ${reason}; reinstall @loci/embedding-model`);
}

function unreadable(file: URL | string, cause: unknown): ModelFileError {
  return new ModelFileError(
    `the embedding model file cannot be read: ${String(file)}; reinstall @loci/embedding-model`,
    { cause },
  );
}
