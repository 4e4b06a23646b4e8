import { session } from "../api/session.ts";
import { caller } from "./caller.ts";

/** Whether memories may be changed here. A server that does not say which roles the key has is asked by trying. */
export function mayWrite(): boolean {
  return session.value?.readOnly !== true && (caller.value?.roles.includes("write") ?? true);
}
