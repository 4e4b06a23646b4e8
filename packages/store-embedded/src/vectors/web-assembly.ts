/** The part of WebAssembly that is used here: the language's library does not describe it, and Node's types neither. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WebAssemblyModule;
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => WebAssemblyMemory;
  readonly Instance: new (
    module: WebAssemblyModule,
    imports: Readonly<Record<string, Readonly<Record<string, WebAssemblyMemory>>>>,
  ) => { readonly exports: unknown };
}

/** Compiled code. */
export interface WebAssemblyModule {
  readonly [Symbol.toStringTag]: "WebAssembly.Module";
}

export interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer;
}

export const webAssembly: WebAssemblyApi = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi })
  .WebAssembly;
