import { readFileSync } from "node:fs";
import loadWabt from "wabt";

const source = new URL("../src/kept/kernel.wat", import.meta.url);

/** Where the compiled kernel is kept, as a module that source runs and builds can import alike. */
export const kernelModule: URL = new URL("../src/kept/kernel-binary.ts", import.meta.url);

/** Compiles the kernel's text and writes it as a TypeScript module. */
export async function compileKernel(): Promise<string> {
  const wabt = await loadWabt();
  const parsed = wabt.parseWat("kernel.wat", readFileSync(source, "utf8"), { simd: true });
  try {
    parsed.validate();
    const base64 = Buffer.from(parsed.toBinary({}).buffer).toString("base64");
    const lines = (base64.match(/.{1,100}/g) ?? []).map((line) => `  "${line}",`);
    return [
      "// Made of kernel.wat by `npm run kernel`; a test compares. Do not edit.",
      "",
      "/** The compiled kernel, in base64. */",
      "export const kernelBinary: string = [",
      ...lines,
      '].join("");',
      "",
    ].join("\n");
  } finally {
    parsed.destroy();
  }
}
