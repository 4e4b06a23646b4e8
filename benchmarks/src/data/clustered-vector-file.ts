import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ClusteredMemories } from "./clustered-memories.ts";
import { ClusteredVectors } from "./clustered-vectors.ts";

const floatBytes = 4;
const vectorsPerWrite = 1000;

/** The vectors of clustered memories in a file, as making them costs more than most of what is measured with them. */
export class ClusteredVectorFile implements Disposable {
  readonly #file: number;
  readonly #dimensions: number;

  private constructor(file: number, dimensions: number) {
    this.#file = file;
    this.#dimensions = dimensions;
  }

  /** Opens the file, or makes it. @param onProgress told how many vectors there are so far */
  static open(
    folder: string,
    memories: ClusteredMemories,
    dimensions: number,
    onProgress: (done: number) => void,
  ): ClusteredVectorFile {
    mkdirSync(folder, { recursive: true });
    const count = memories.scopes.length;
    const path = join(folder, `v${dimensions}-${count}.f32`);
    if (!existsSync(path)) {
      const vectors = new ClusteredVectors(memories, dimensions);
      const draft = openSync(`${path}.draft`, "w");
      for (let start = 0; start < count; start += vectorsPerWrite) {
        const some = new Float32Array(Math.min(vectorsPerWrite, count - start) * dimensions);
        for (let at = 0; at * dimensions < some.length; at++) some.set(vectors.vector(start + at), at * dimensions);
        writeSync(draft, new Uint8Array(some.buffer));
        onProgress(start);
      }
      closeSync(draft);
      renameSync(`${path}.draft`, path);
    }
    return new ClusteredVectorFile(openSync(path, "r"), dimensions);
  }

  /** The vectors of consecutive memories, one after the other. */
  read(first: number, count: number): Float32Array<ArrayBuffer> {
    const values = new Float32Array(count * this.#dimensions);
    readSync(this.#file, new Uint8Array(values.buffer), 0, values.byteLength, first * this.#dimensions * floatBytes);
    return values;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
