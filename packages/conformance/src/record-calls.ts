/** What besides an object's own methods is recorded. */
export interface RecordingOptions {
  /** Which properties are objects whose methods count, too, as `part.method`. Default: none. */
  readonly isPart?: ((path: string) => boolean) | undefined;
  /** Which methods resolve to an object whose methods count, and under which name. Default: none. */
  readonly gives?: Readonly<Record<string, string>> | undefined;
}

/** Wraps an object so that the names of the methods that are called are noted in `called`. */
export function recordCalls<Target extends object>(
  target: Target,
  called: Set<string>,
  options: RecordingOptions = {},
): Target {
  return recorded(target, "", { called, ...options });
}

interface Recording extends RecordingOptions {
  readonly called: Set<string>;
}

function recorded<Target extends object>(target: Target, prefix: string, recording: Recording): Target {
  const { called, isPart, gives = {} } = recording;
  return new Proxy(target, {
    get(object, property) {
      const value: unknown = Reflect.get(object, property, object);
      const path = prefix + String(property);
      if (typeof value === "object" && value !== null && isPart?.(path) === true)
        return recorded(value, `${path}.`, recording);
      if (typeof value !== "function") return value;
      return (...values: readonly unknown[]): unknown => {
        called.add(path);
        const result: unknown = Reflect.apply(value, object, values);
        const name = gives[path];
        if (name === undefined) return result;
        return (result as Promise<object | undefined>).then((given) => given && recorded(given, `${name}.`, recording));
      };
    },
  });
}
