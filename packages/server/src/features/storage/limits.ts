import type { Project } from '../projects/index.ts';

const megabyte = 1_048_576;
const gigabyte = 1024 * megabyte;

interface StorageLimits {
  readonly fileBytes: number;
  /** Of all files together; null: no limit. */
  readonly totalBytes: number | null;
}

const ofTier: Record<Project['tier'], StorageLimits> = {
  free: { fileBytes: 10 * megabyte, totalBytes: gigabyte },
  standard: { fileBytes: 10 * megabyte, totalBytes: gigabyte },
  pro: { fileBytes: 100 * megabyte, totalBytes: 100 * gigabyte },
  enterprise: { fileBytes: gigabyte, totalBytes: null },
};

export function storageLimitsOf(project: Pick<Project, 'tier'>): StorageLimits {
  return ofTier[project.tier];
}
