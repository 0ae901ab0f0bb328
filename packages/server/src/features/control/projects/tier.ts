import { defaultTiers, isTier, type ProjectRecord } from '../../../calls/index.ts';
import type { Tier } from '../../../platform/config/config.ts';
import type { ControlDb } from '../../../platform/db/control-db.ts';
import { invalidSetting } from './errors.ts';
import { requireFound } from './find-project.ts';
import { saveTier } from './store.ts';

const highestRateLimit = 1_000_000_000;

/** Sets the tier, and how many calls a minute were agreed with this project; null: what the tier gives. */
export async function setTier(
  control: ControlDb,
  ref: string,
  tier: string,
  rateLimit: number | null,
): Promise<ProjectRecord> {
  const change = { tier: checkTier(tier), rateLimit: checkRateLimit(rateLimit) };
  return requireFound(ref, await saveTier(control, ref, change));
}

export function checkTier(text: string): Tier {
  if (isTier(text)) return text;
  throw invalidSetting('tier', `"${text}" is not a tier. Tiers: ${Object.keys(defaultTiers).join(', ')}.`);
}

function checkRateLimit(limit: number | null): number | null {
  if (limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= highestRateLimit)) return limit;
  throw invalidSetting(
    'rateLimit',
    'The rate limit must be an integer number of requests per minute, 1 or more.',
  );
}
