/**
 * Has V8 collect what a start leaves behind. A start fills the room for new objects, for which V8 takes 32 MiB by then, and
 * nothing of it is given back until everything is collected, which an idle server may never come to. It takes about 0.1 s,
 * and under load the room grows again as it is needed.
 *
 * This is the way that tools for developers ask for it, since flags of V8 may not be set while a program runs. Does nothing
 * where Node was built without it.
 */
export async function collectStart(): Promise<void> {
  try {
    const { Session } = await import("node:inspector/promises");
    const session = new Session();
    session.connect();
    await session.post("HeapProfiler.collectGarbage");
    session.disconnect();
  } catch {
    // It costs memory, and is no reason not to serve.
  }
}
