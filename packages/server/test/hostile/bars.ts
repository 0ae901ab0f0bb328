import { slowdown } from './figures.ts';
import { coreCount } from './machine.ts';
import type { Trial } from './trial.ts';

/** What the neighbour may notice of an attack, and an attack may take. */
export interface Bars {
  readonly stallMs: number;
  readonly growthMb: number;
  /** The share of calls that is looked at, and how many times slower than in quiet it may be. */
  readonly share: number;
  readonly slowdown: number;
  /** The same where the attack keeps the whole machine busy. */
  readonly slowdownBusy: number;
}

/** As promised. */
export const promised: Bars = { stallMs: 100, growthMb: 200, share: 0.99, slowdown: 3, slowdownBusy: 5 };

/** For a second or two: times say more about the machine than about the service then, unless they are beyond all measure. */
export const brief: Bars = { ...promised, share: 0.5, slowdown: 25, slowdownBusy: 25 };

/** How many cores may be left idle when we say that the machine is busy. */
const idleCores = 0.25;

export const isBusy = ({ busyCores }: Trial): boolean => busyCores > coreCount - idleCores;

/** What was not kept, in sentences. */
export function missesOf(trial: Trial, bars: Bars): string[] {
  const { crash, errors, stallMs, growthMb } = trial;
  if (crash !== undefined) return [`The node crashed. Its last words:\n${crash}`];
  const misses: string[] = [];
  if (errors.length > 0)
    misses.push(
      `${errors.length} calls of the neighbour failed, such as ${[...new Set(errors)].slice(0, 3).join('; ')}.`,
    );
  if (stallMs > bars.stallMs)
    misses.push(`The event loop was held up for ${Math.round(stallMs)} ms; ${bars.stallMs} are allowed.`);
  if (growthMb > bars.growthMb)
    misses.push(`The node took ${Math.round(growthMb)} MB more than before; ${bars.growthMb} are allowed.`);
  const slower = slowdown(trial.quiet, trial.attacked, bars.share);
  const allowed = isBusy(trial) ? bars.slowdownBusy : bars.slowdown;
  // Not a number: nothing was answered at all, and that is among the errors.
  if (slower > allowed)
    misses.push(
      `The neighbour's calls took ${slower.toFixed(1)} times as long as in quiet; ${allowed} times are allowed.`,
    );
  return misses;
}
