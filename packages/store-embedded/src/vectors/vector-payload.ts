import { bytesOf, sectionOf, type SectionMemory, type Sections, uint32Section } from "../storage/section-file.ts";
import { damaged } from "../storage/storage-error.ts";
import type { MergePart, PayloadReader } from "../segments/payload.ts";
import type { Pace } from "../segments/pace.ts";
import type { VectorContent } from "./vector-content.ts";
import { hasSigns, SignBits } from "./sign-bits.ts";
import { VectorMemory } from "./vector-memory.ts";

/** The vectors of a segment's rows, in row order. */
export class VectorPayload {
  readonly memory: VectorMemory;
  /** A row's vectors are those from its start to the next row's. One longer than there are rows. */
  readonly starts: Uint32Array;
  /** Of a large segment whose rows have one vector each: one bit a dimension, to choose among very many rows. */
  readonly signs: SignBits | undefined;
  #hasOneEach: boolean | undefined;

  private constructor(memory: VectorMemory, starts: Uint32Array, signs?: SignBits) {
    this.memory = memory;
    this.starts = starts;
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
    for (const [index, vector] of rows.flat().entries()) payload.memory.put(index, vector);
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
    const { memory } = merged;
    for (const { payload, rowMap } of parts)
      for (let row = 0; row < rowMap.length; row++) {
        if (pace.isPauseDue()) await pace.pause();
        const newRow = rowMap[row] as number;
        if (newRow < 0) continue;
        const [from, to] = [payload.starts[row] as number, payload.starts[row + 1] as number];
        memory.copy(payload.memory, from, to, starts[newRow] as number);
      }
    if (memory.signs.byteLength === 0 || !merged.hasOneEach) return merged;
    return new VectorPayload(memory, starts, await SignBits.make(memory, pace));
  }

  static reader(dimensions: number): PayloadReader<VectorPayload> {
    let memory: VectorMemory | undefined;
    const sectionMemory: SectionMemory = (name, bytes) => {
      if (name === "signs") return memory?.signs;
      // The first of those that the memory has a place for: as many numbers as vectors.
      if (name === "scales") memory = new VectorMemory(dimensions, bytes / 4, hasSigns(dimensions, bytes / 4));
      if (memory === undefined) return undefined;
      if (name === "scales") return bytesOf(memory.scales);
      if (name === "errors") return bytesOf(memory.errors);
      return name === "codes" ? memory.codes : undefined;
    };
    return {
      memory: sectionMemory,
      finish: (sections, path) => {
        const starts = uint32Section(sections, "starts", path);
        if (memory === undefined) throw damaged(path, "has no section scales");
        return new VectorPayload(
          memory,
          starts,
          sections.has("signs") ? new SignBits(floatSection(sections, "mean", path), memory.signs) : undefined,
        );
      },
    };
  }

  sections(): Sections {
    return new Map([
      ["starts", bytesOf(this.starts)],
      // Before the codes: reading makes the memory for all of them as soon as it knows how many there are.
      ["scales", bytesOf(this.memory.scales)],
      ["errors", bytesOf(this.memory.errors)],
      ["codes", this.memory.codes],
      ...signSections(this.signs),
    ]);
  }

  static #empty(dimensions: number, starts: Uint32Array): VectorPayload {
    const vectors = starts.at(-1) ?? 0;
    return new VectorPayload(new VectorMemory(dimensions, vectors, hasSigns(dimensions, vectors)), starts);
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
