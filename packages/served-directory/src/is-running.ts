/** Whether there is a process of this id. */
export function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks whether the process is there.
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process may not be asked, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
