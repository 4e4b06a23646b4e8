import { kernelBinary } from "./kernel-binary.ts";

/** The part of WebAssembly that is used here: the language's library does not describe it, and Node's types neither. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssemblyModule;
  readonly Memory: new (size: { readonly initial: number }) => WebAssemblyMemory;
  readonly Instance: new (
    module: WebAssemblyModule,
    imports: Readonly<Record<string, Readonly<Record<string, WebAssemblyMemory>>>>,
  ) => { readonly exports: unknown };
}

interface WebAssemblyModule {
  readonly [Symbol.toStringTag]: "WebAssembly.Module";
}

interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The function of kernel.wat. Places are in bytes from the beginning of the memory. */
interface Kernel {
  dot(row: number, count: number, rowBytes: number, query: number, out: number): void;
}

const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly;
const kernelModule = new webAssembly.Module(Uint8Array.from(Buffer.from(kernelBinary, "base64")));

const pageBytes = 65_536;
const valueBytes = 4;
/** Rows that are compared before their products are read. */
const rowsAtOnce = 1_024;

/** Memory of the kernel: a query, the products of some rows with it, and rows. */
export class KernelMemory {
  readonly #rowValues: number;
  readonly #memory: WebAssemblyMemory;
  readonly #kernel: Kernel;

  /** @param rowValues of each row, a multiple of 16 */
  constructor(rowValues: number) {
    this.#rowValues = rowValues;
    this.#memory = new webAssembly.Memory({ initial: Math.ceil(this.#bytesOf(0) / pageBytes) });
    this.#kernel = new webAssembly.Instance(kernelModule, { kept: { memory: this.#memory } }).exports as Kernel;
  }

  /** The values of at least so many rows, those there are and new ones. What was returned before is of no use any more. */
  rows(count: number): Float32Array {
    const missing = this.#bytesOf(count) - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / pageBytes));
    return new Float32Array(this.#memory.buffer, this.#bytesOf(0));
  }

  /** The products of the first `count` rows with a query, added up in float32. */
  productsWith(query: Float32Array, count: number): Float32Array {
    const { buffer } = this.#memory;
    const [rowBytes, found] = [this.#rowValues * valueBytes, this.#rowValues * valueBytes];
    new Float32Array(buffer).set(query);
    const products = new Float32Array(count);
    for (let row = 0; row < count; row += rowsAtOnce) {
      const some = Math.min(rowsAtOnce, count - row);
      this.#kernel.dot(this.#bytesOf(row), some, rowBytes, 0, found);
      products.set(new Float32Array(buffer, found, some), row);
    }
    return products;
  }

  #bytesOf(rows: number): number {
    return (this.#rowValues * (rows + 1) + rowsAtOnce) * valueBytes;
  }
}
