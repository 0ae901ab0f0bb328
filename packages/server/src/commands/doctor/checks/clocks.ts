import { type DeploymentCheck, type Finding, ok, problem, unchecked, warning } from '../check.ts';
import type { Deployment } from '../deployment.ts';

/** Machines that keep time by NTP differ by milliseconds. */
const toleratedMs = 1000;
/** From here on a node is not ready. */
const wrongMs = 5000;

export const clocks: DeploymentCheck = {
  id: 'clocks',
  group: 'Configuration',
  title: 'clocks',
  page: 'projects.md#clocks',
  async run(deployment): Promise<Finding> {
    const ahead = await readClocks(deployment);
    if (ahead.size === 0) return unchecked('No engine responds whose clock could be read.');
    const [name, ms] = [...ahead].reduce((one, other) =>
      Math.abs(other[1]) > Math.abs(one[1]) ? other : one,
    );
    const difference = `${(Math.abs(ms) / 1000).toFixed(1)} s ${ms > 0 ? 'ahead of' : 'behind'} the clock of ${name}`;
    const advice = 'Synchronize the clocks of all machines with NTP, such as chrony or systemd-timesyncd.';
    if (Math.abs(ms) > wrongMs)
      return problem(
        `The clock of this machine is ${difference}: a node here would not become ready.`,
        advice,
      );
    if (Math.abs(ms) > toleratedMs) return warning(`The clock of this machine is ${difference}.`, advice);
    return ok(`This machine agrees with ${[...ahead.keys()].join(' and ')} to less than a second.`);
  },
};

/** By how much this machine is ahead of each clock that can be read. */
async function readClocks(deployment: Deployment): Promise<Map<string, number>> {
  const { cells } = deployment;
  const engines = [
    ...cells.map((cell) => [cells.length > 1 ? `cell ${cell.number}` : 'PostgreSQL', cell.facts()] as const),
    ['Redis', deployment.redis()] as const,
  ];
  const found = await Promise.all(
    engines.map(
      async ([name, facts]) => [name, (await facts?.catch(() => undefined))?.clock.aheadMs] as const,
    ),
  );
  return new Map(found.flatMap(([name, ms]) => (ms === undefined ? [] : [[name, ms]])));
}
