/** The days in English, as `Date` counts them: Sunday is 0. */
export const weekdayNames: readonly string[] = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
