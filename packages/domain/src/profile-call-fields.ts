import type { ProfileCall } from "./block-profile.ts";
import { fieldsOf } from "./check-fields.ts";

type Fields<Call extends ProfileCall["call"]> = ProfileCall & { readonly call: Call };

/** The fields of each call. */
export const profileCallFields: Readonly<Record<ProfileCall["call"], ReadonlySet<string>>> = {
  setTask: fieldsOf<Fields<"setTask">>({ call: true, text: true, context: true }),
  clearTask: fieldsOf<Fields<"clearTask">>({ call: true, archive: true }),
  learnPreference: fieldsOf<Fields<"learnPreference">>({ call: true, text: true }),
  learnFact: fieldsOf<Fields<"learnFact">>({ call: true, text: true }),
  addContext: fieldsOf<Fields<"addContext">>({ call: true, text: true }),
  setState: fieldsOf<Fields<"setState">>({ call: true, state: true }),
};
