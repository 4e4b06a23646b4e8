import { type ItemReceipt, LociError, type WindowOverrides } from "@loci/domain";
import { assembleContext, type AssemblyInput, planWindow, resolveModel } from "../../src/index.ts";
import { exampleInput } from "./example-input.ts";

/** The window of no model, with these sizes. */
export function windowOf(overrides: WindowOverrides): AssemblyInput["plan"] {
  return planWindow({ resolved: resolveModel(undefined), overrides });
}

/** What an example that must be refused is refused with. */
export function refusalOf(fields: Partial<AssemblyInput>): LociError {
  try {
    assembleContext(exampleInput(fields));
  } catch (error) {
    if (LociError.is(error)) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

/** What became of one item of an example. */
export function itemOf(fields: Partial<AssemblyInput>, id: string): ItemReceipt | undefined {
  return assembleContext(exampleInput(fields)).receipt.items.find((one) => one.id === id);
}
