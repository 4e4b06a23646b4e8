import { checkWholeNumber } from "./validate-number.ts";

const defaultPageSize = 50;
const maxPageSize = 1_000;

/** Default 50, at most 1,000. @throws LociError `INVALID_NUMBER` */
export function checkPageSize(given: number | undefined, path: string): number {
  return checkWholeNumber(given ?? defaultPageSize, path, { least: 1, most: maxPageSize });
}
