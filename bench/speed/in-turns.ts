import { median } from '../percentiles.ts';
import type { Node } from '../service.ts';
import { type Cost, watchCpu } from './cpu.ts';
import { type Load, runWrk } from './wrk.ts';

/** What one contender did in one turn. */
interface Turn {
  readonly rate: number;
  readonly cost: Cost;
}

/** What idles while others have their turn forgets compiled code: it is called for so long before it is measured. */
const warmS = 2;

/** Calls a node as fast as it answers. */
export async function takeTurn(
  { url, pid }: Node,
  databaseFolder: string,
  load: Omit<Load, 'url'>,
): Promise<Turn> {
  await runWrk({ url, ...load, seconds: warmS });
  const costSoFar = await watchCpu(pid, databaseFolder);
  const { perSecond, failures } = await runWrk({ url, ...load });
  if (failures > 0) throw new Error(`${failures} calls failed.`);
  return { rate: perSecond, cost: await costSoFar(perSecond * load.seconds) };
}

/**
 * The turns of all contenders, round by round. Each round begins with another one: what grows, warms up or disturbs the
 * machine favours nobody. A round to warm up is not counted.
 */
export async function inTurns<Contender>(
  contenders: readonly Contender[],
  rounds: number,
  measure: (contender: Contender) => Promise<Turn>,
): Promise<Turn[][]> {
  const found: Turn[][] = [];
  for (const contender of contenders) await measure(contender);
  for (let round = 0; round < rounds; round += 1) {
    const turns: Turn[] = [];
    for (let step = 0; step < contenders.length; step += 1) {
      const at = (round + step) % contenders.length;
      turns[at] = await measure(contenders[at]!);
    }
    found.push(turns);
  }
  return found;
}

/** A contender beside the first, as the median of the rounds: noise that lasts for a round disturbs both. */
export function compare(rounds: readonly Turn[][], at: number) {
  const ratios = rounds.map((turns) => turns[at]!.rate / turns[0]!.rate);
  const costs = (of: keyof Cost, which: number) => median(rounds.map((turns) => turns[which]!.cost[of]));
  return {
    ratio: median(ratios),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
    /** Microseconds of a call, of the first and of this one. */
    describeCost: (of: keyof Cost) => `${of} ${costs(of, 0).toFixed(0)} → ${costs(of, at).toFixed(0)} µs`,
    costRatio: (of: keyof Cost) => median(rounds.map((turns) => turns[at]!.cost[of] / turns[0]!.cost[of])),
    rateOfFirst: median(rounds.map((turns) => turns[0]!.rate)),
  };
}
