/** How long this process works on something, in milliseconds of a core: what else the machine does is not counted. */
export async function workTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
