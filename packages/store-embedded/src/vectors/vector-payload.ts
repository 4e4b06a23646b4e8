import { bytesOf, sectionOf, type SectionMemory, type Sections, uint32Section } from "../storage/section-file.ts";
import { damaged } from "../storage/storage-error.ts";
import type { MergePart, PayloadReader } from "../segments/payload.ts";
import type { Pace } from "../segments/pace.ts";
import type { VectorContent } from "./vector-content.ts";
import { leastSigned, SignBits } from "./sign-bits.ts";
import { VectorMemory } from "./vector-memory.ts";
import { paddedDimensions } from "./quantise.ts";

/** The vectors of a segment's rows, in row order. */
export class VectorPayload {
  readonly memory: VectorMemory;
  /** A row's vectors are those from its start to the next row's. One longer than there are rows. */
  readonly starts: Uint32Array;
  readonly scales: Float32Array;
  readonly errors: Float32Array;
  /** Of a large segment whose rows have one vector each: one bit a dimension, to choose among very many rows. */
  readonly signs: SignBits | undefined;
  #hasOneEach: boolean | undefined;

  private constructor(
    memory: VectorMemory,
    starts: Uint32Array,
    scales: Float32Array,
    errors: Float32Array,
    signs?: SignBits,
  ) {
    this.memory = memory;
    this.starts = starts;
    this.scales = scales;
    this.errors = errors;
    this.signs = signs;
  }

  /** Whether every row has exactly one vector, as nearly all have. */
  get hasOneEach(): boolean {
    return (this.#hasOneEach ??= this.starts.every((start, row) => start === row));
  }

  static make(dimensions: number, rows: readonly VectorContent[]): VectorPayload {
    const starts = new Uint32Array(rows.length + 1);
    for (const [row, vectors] of rows.entries()) starts[row + 1] = (starts[row] as number) + vectors.length;
    const payload = VectorPayload.#empty(dimensions, starts);
    for (const [index, vector] of rows.flat().entries()) {
      payload.memory.put(index, vector);
      payload.scales[index] = vector.scale;
      payload.errors[index] = vector.error;
    }
    return payload;
  }

  static async merge(
    dimensions: number,
    parts: readonly MergePart<VectorPayload>[],
    rows: number,
    pace: Pace,
  ): Promise<VectorPayload> {
    const starts = new Uint32Array(rows + 1);
    for (const { payload, rowMap } of parts)
      for (let row = 0; row < rowMap.length; row++) {
        const newRow = rowMap[row] as number;
        if (newRow >= 0) starts[newRow + 1] = (payload.starts[row + 1] as number) - (payload.starts[row] as number);
      }
    for (let row = 0; row < rows; row++) starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number);
    const merged = VectorPayload.#empty(dimensions, starts);
    for (const { payload, rowMap } of parts)
      for (let row = 0; row < rowMap.length; row++) {
        if (pace.isPauseDue()) await pace.pause();
        const newRow = rowMap[row] as number;
        if (newRow >= 0)
          merged.#take(payload, payload.starts[row] as number, payload.starts[row + 1] as number, newRow);
      }
    if (merged.memory.signs.byteLength === 0 || !merged.hasOneEach) return merged;
    const { memory, scales, errors } = merged;
    return new VectorPayload(memory, starts, scales, errors, await SignBits.make(memory, scales, pace));
  }

  static reader(dimensions: number): PayloadReader<VectorPayload> {
    let memory: VectorMemory | undefined;
    const rowBytes = paddedDimensions(dimensions);
    const sectionMemory: SectionMemory = (name, bytes) => {
      if (name === "signs") return memory?.signs;
      if (name !== "codes") return undefined;
      memory = new VectorMemory(dimensions, bytes / rowBytes, bytes / rowBytes >= leastSigned);
      return memory.codes;
    };
    return {
      memory: sectionMemory,
      finish: (sections, path) => {
        const starts = uint32Section(sections, "starts", path);
        if (memory === undefined) throw damaged(path, "has no section codes");
        return new VectorPayload(
          memory,
          starts,
          floatSection(sections, "scales", path),
          floatSection(sections, "errors", path),
          sections.has("signs") ? new SignBits(floatSection(sections, "mean", path), memory.signs) : undefined,
        );
      },
    };
  }

  sections(): Sections {
    return new Map([
      ["starts", bytesOf(this.starts)],
      ["scales", bytesOf(this.scales)],
      ["errors", bytesOf(this.errors)],
      ["codes", this.memory.codes],
      ...signSections(this.signs),
    ]);
  }

  static #empty(dimensions: number, starts: Uint32Array): VectorPayload {
    const vectors = starts.at(-1) ?? 0;
    return new VectorPayload(
      new VectorMemory(dimensions, vectors, vectors >= leastSigned),
      starts,
      new Float32Array(vectors),
      new Float32Array(vectors),
    );
  }

  #take(source: VectorPayload, from: number, to: number, newRow: number): void {
    const target = this.starts[newRow] as number;
    const { rowBytes } = this.memory;
    this.memory.codes.set(source.memory.codes.subarray(from * rowBytes, to * rowBytes), target * rowBytes);
    this.scales.set(source.scales.subarray(from, to), target);
    this.errors.set(source.errors.subarray(from, to), target);
  }
}

/** Signs come after the codes, whose memory has the place for them. */
function signSections(signs: SignBits | undefined): readonly (readonly [string, Uint8Array])[] {
  if (signs === undefined) return [];
  return [
    ["mean", bytesOf(signs.mean)],
    ["signs", signs.bits],
  ];
}

function floatSection(sections: Sections, name: string, path: string): Float32Array {
  const bytes = sectionOf(sections, name, path);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}
