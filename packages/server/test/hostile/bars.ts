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

/** What was not kept: which bar, and a sentence about it. */
export interface Miss {
  readonly bar: 'life' | 'answers' | 'stall' | 'growth' | 'slowdown';
  readonly sentence: string;
}

export function missesOf(trial: Trial, bars: Bars): Miss[] {
  const { crash, errors, stallMs, growthMb } = trial;
  if (crash !== undefined) return [{ bar: 'life', sentence: `The node crashed. Its last words:\n${crash}` }];
  const misses: Miss[] = [];
  if (errors.length > 0) {
    const some = [...new Set(errors)].slice(0, 3).join('; ');
    misses.push({
      bar: 'answers',
      sentence: `${errors.length} calls of the neighbour failed, such as ${some}.`,
    });
  }
  if (stallMs > bars.stallMs) {
    const held = `The event loop was held up for ${Math.round(stallMs)} ms`;
    misses.push({ bar: 'stall', sentence: `${held}; ${bars.stallMs} are allowed.` });
  }
  if (growthMb > bars.growthMb) {
    const took = `The node took ${Math.round(growthMb)} MB more than before`;
    misses.push({ bar: 'growth', sentence: `${took}; ${bars.growthMb} are allowed.` });
  }
  const slower = slowdown(trial.quiet, trial.attacked, bars.share);
  const allowed = isBusy(trial) ? bars.slowdownBusy : bars.slowdown;
  // Not a number: nothing was answered at all, and that is among the errors.
  if (slower > allowed) {
    const took = `The neighbour's calls took ${slower.toFixed(1)} times as long as in quiet`;
    misses.push({ bar: 'slowdown', sentence: `${took}; ${allowed} times are allowed.` });
  }
  return misses;
}

/** A crash counts at once. A single call may also fail because the whole machine stood still for a moment. */
const isMeasured = ({ bar }: Miss): boolean => bar !== 'life';

/**
 * What is missed each time, of at most so many trials. A machine that others use only ever adds to what is measured, now
 * and then; what the service does, it does again.
 */
export async function lastingMisses(
  nextTrial: () => Promise<Trial>,
  bars: Bars,
  times: number,
): Promise<Miss[]> {
  let misses = missesOf(await nextTrial(), bars);
  for (let left = times - 1; left > 0 && misses.length > 0 && misses.every(isMeasured); left -= 1) {
    const again = missesOf(await nextTrial(), bars);
    misses = again.filter((miss) => !isMeasured(miss) || misses.some(({ bar }) => bar === miss.bar));
  }
  return misses;
}
