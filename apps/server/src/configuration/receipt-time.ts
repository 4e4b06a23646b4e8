import { type KeptReceiptsOptions, receiptTimeOf } from "@loci/loci";
import { describe, refuseSetting, type SettingKind } from "./setting.ts";

/** On servers that only their own user calls. */
export const defaultReceiptTime = "24h";

/** `off`, or a time as a number and its unit. Kept as its text. */
export const receiptTime: SettingKind<string> = {
  form: "`off`, or `1m` to `30d`",
  read: (given, place) =>
    typeof given === "string" && receiptTimeOf(given) !== undefined
      ? given
      : refuseSetting(place, `must be off or a time, but is ${describe(given)}`, "Use off, or 1m to 30d, such as 24h."),
  fromText: (text) => text,
};

/** @param text as `receiptTime` reads it. Undefined: none are kept */
export function receiptsOf(text: string | undefined): KeptReceiptsOptions | undefined {
  const keepMilliseconds = text === undefined ? 0 : (receiptTimeOf(text) ?? 0);
  return keepMilliseconds === 0 ? undefined : { keepMilliseconds };
}
