import { LociError } from "@loci/domain";
import { kernelBinary } from "./kernel-binary.ts";
import { webAssembly, type WebAssemblyMemory } from "./web-assembly.ts";

/** The functions of kernel.wat. Places are in bytes from the beginning of the memory. */
export interface Kernel {
  dotOne(row: number, count: number, rowBytes: number, query: number, out: number): void;
  dotPlaces(rows: number, places: number, count: number, rowBytes: number, query: number, out: number): void;
  dotFour(row: number, count: number, rowBytes: number, query: number, out: number): void;
  roughNine(row: number, count: number, rowBytes: number, queries: number, out: number): void;
  reach(
    sums: number,
    count: number,
    scales: number,
    errors: number,
    queryScale: number,
    errorFactor: number,
    floor: number,
    out: number,
  ): number;
  differ(row: number, count: number, bytes: number, query: number, out: number): void;
  exactTen(vectors: number, dimensions: number, queries: number, out: number): void;
}

export const pageBytes = 65_536;
/** What 32 bits can address. */
export const largestMemory: number = 65_536 * pageBytes;

const kernelModule = new webAssembly.Module(Uint8Array.from(Buffer.from(kernelBinary, "base64")));

export function kernelOn(memory: WebAssemblyMemory): Kernel {
  return new webAssembly.Instance(kernelModule, { index: { memory } }).exports as Kernel;
}

/** @throws LociError `STORE_UNAVAILABLE` when the memory cannot be had */
export function makeMemory(bytes: number): WebAssemblyMemory {
  const pages = Math.ceil(bytes / pageBytes);
  try {
    return new webAssembly.Memory({ initial: pages, maximum: pages });
  } catch (error) {
    throw new LociError("STORE_UNAVAILABLE", {
      message: `${Math.ceil(bytes / 2 ** 20)} MiB of memory for vectors cannot be had.`,
      advice: "Give the process more memory, or let it keep fewer indexes open.",
      cause: error,
    });
  }
}
