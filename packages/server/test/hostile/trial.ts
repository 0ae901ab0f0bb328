import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attack.ts';
import type { Answered } from './attackers-process.ts';
import { joinTimes, type Kind } from './figures.ts';
import type { Stage } from './stage.ts';

type Times = ReadonlyMap<Kind, readonly number[]>;

/** What was seen of the node and of the neighbour while something attacked. */
export interface Trial {
  readonly attacks: readonly Attack[];
  /** The last words of the node. */
  readonly crash: string | undefined;
  readonly errors: readonly string[];
  readonly quiet: Times;
  readonly attacked: Times;
  /** The longest time that the node worked without looking at anything else. */
  readonly stallMs: number;
  /** The most memory that the node took, over what it kept before. */
  readonly growthMb: number;
  /** What it keeps afterwards, over what it kept before. */
  readonly keptMb: number;
  readonly busyCores: number;
  readonly answered: Answered;
}

export interface Lengths {
  readonly quietMs: number;
  readonly attackMs: number;
}

/** Measures a stretch of quiet, then one with attacks. */
export async function tryAttacks(
  stage: Stage,
  attacks: readonly Attack[],
  { quietMs, attackMs }: Lengths,
): Promise<Trial> {
  const names = attacks.map(({ name }) => name);
  await stage.ready(names);
  const { node, neighbour, attackers, machine } = stage;
  await stage.beQuiet(quietMs);
  await node.settle();
  const before = await node.takePeakMb('now');
  machine.takeBusyCores();

  const figures = neighbour.begin();
  const stop = await attackers.begin(names);
  await sleep(attackMs);
  const answered = await stop();
  const busyCores = machine.takeBusyCores();
  // What still waits is not to be taken for quiet; nor is it to fail.
  const after = neighbour.begin();
  await figures.ended();
  neighbour.begin();
  await after.ended();
  const peak = await node.takePeakMb();
  // A node that has crashed says nothing more.
  const stallMs = await node.settle().catch(() => Number.NaN);
  return {
    attacks,
    crash: node.crash,
    errors: [...figures.errors, ...after.errors],
    quiet: joinTimes(stage.quiet),
    attacked: joinTimes([figures]),
    stallMs,
    growthMb: peak - before,
    keptMb: (await node.takePeakMb('now')) - before,
    busyCores,
    answered,
  };
}
