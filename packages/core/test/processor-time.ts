/** What work takes of the processor, in milliseconds: on a busy machine it takes longer, and not more. */
export function processorTime(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}
