import { useEffect, useState } from "preact/hooks";
import { failureOf, isAway, isCancelled, type Failure } from "./failure.ts";
import { serverAway } from "../state/server-away.ts";

const retryMilliseconds = 2_000;

/** What a view waits for. A value that was there stays while it is loaded again, and when that fails. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface State<Value> {
  readonly key: string | undefined;
  readonly value: Value | undefined;
  readonly failure: Failure | undefined;
}

/**
 * Loads what a key stands for, and again when the key changes. Who leaves the view ends the call. While the server is away it
 * is tried again.
 *
 * @param key undefined: nothing is loaded
 */
export function useLoaded<Value>(
  key: string | undefined,
  load: (signal: AbortSignal) => Promise<Value>,
): Loaded<Value> {
  const [state, setState] = useState<State<Value>>({ key: undefined, value: undefined, failure: undefined });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (key === undefined) return;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = async (): Promise<void> => {
      try {
        const value = await load(leaving.signal);
        if (leaving.signal.aborted) return;
        serverAway.value = false;
        setState({ key, value, failure: undefined });
      } catch (error) {
        if (leaving.signal.aborted || isCancelled(error)) return;
        const failure = failureOf(error);
        if (isAway(failure)) {
          serverAway.value = true;
          timer = setTimeout(() => setTurn((turn) => turn + 1), retryMilliseconds);
        }
        setState((before) => ({ key, value: before.key === key ? before.value : undefined, failure }));
      }
    };
    void run();
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, turn]);
  const isOfKey = state.key === key;
  return {
    value: isOfKey ? state.value : undefined,
    failure: isOfKey ? state.failure : undefined,
    isLoading: key !== undefined && !isOfKey,
    reload: () => setTurn((turn) => turn + 1),
  };
}
