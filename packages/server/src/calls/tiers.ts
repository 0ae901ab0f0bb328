import type { Tier } from '../platform/config/config.ts';

const megabyte = 1_048_576;
const gigabyte = 1024 * megabyte;

interface TierLimits {
  readonly callsPerMinute: number;
  readonly fileBytes: number;
  /** Of all files together; null: no limit. */
  readonly totalBytes: number | null;
}

/** What a project of each tier may use. */
export const tiers: Readonly<Record<Tier, TierLimits>> = {
  free: { callsPerMinute: 60, fileBytes: 10 * megabyte, totalBytes: gigabyte },
  standard: { callsPerMinute: 100, fileBytes: 10 * megabyte, totalBytes: gigabyte },
  pro: { callsPerMinute: 1000, fileBytes: 100 * megabyte, totalBytes: 100 * gigabyte },
  enterprise: { callsPerMinute: 1_000_000, fileBytes: gigabyte, totalBytes: null },
};

export function isTier(text: string): text is Tier {
  return Object.hasOwn(tiers, text);
}
