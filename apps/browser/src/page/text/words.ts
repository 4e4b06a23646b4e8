/** The name of a value of an enumeration, in small letters. */
export function wordOf(enumeration: Readonly<Record<string, number>>, value: number): string {
  const name = Object.keys(enumeration).find((name) => enumeration[name] === value);
  return (name ?? `${value}`).toLowerCase().replaceAll("_", " ");
}

export function counted(count: number | bigint, one: string, many: string = `${one}s`): string {
  return `${count.toLocaleString("en")} ${Number(count) === 1 ? one : many}`;
}
