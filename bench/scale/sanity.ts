import type { Units } from './units.ts';

/** How far a rate that the model predicts may be from what was measured, on a machine that does other work. */
export const mostFactor = 2;

const million = 1_000_000;
const parts = [
  { kind: 'read', share: 0.8 },
  { kind: 'newest 20', share: 0.15 },
  { kind: 'PATCH', share: 0.05 },
] as const;

/**
 * What one process can do of a mix, by the costs of its parts: as much as fits in one core, and with PostgreSQL in those of
 * the machine. The mix itself was measured too, and is no part of this.
 */
export function predictMix({ calls, machine }: Units): { predicted: number; measured: number } {
  const sum = (of: 'node' | 'database' | 'redis') =>
    parts.reduce((total, { kind, share }) => total + share * calls[kind].together[of], 0);
  const ofProcess = million / sum('node');
  const ofMachine = (machine.cores * million) / (sum('node') + sum('database') + sum('redis'));
  return { predicted: Math.min(ofProcess, ofMachine), measured: calls.mix.together.perSecond };
}
