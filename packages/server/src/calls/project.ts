import type { Tier } from '../platform/config/config.ts';
import { tiers } from './tiers.ts';

export interface Project {
  readonly id: string;
  readonly ref: string;
  readonly name: string;
  readonly cell: number;
  readonly tier: Tier;
  /** Calls a minute agreed with this project; null: what its tier gives. */
  readonly rateLimit: number | null;
  readonly allowedOrigins: readonly string[];
  readonly settings: ProjectSettings;
  /** Built-in configuration keys that were set; see configs.ts of the feature projects. */
  readonly configs: Readonly<Record<string, unknown>>;
  readonly apiKeyHash: Buffer;
  readonly createdAt: Date;
}

interface ProjectSettings {
  readonly responseFormat?: 'envelope' | 'bare';
  /** Who may upload files: app users too, unless it is `server`. */
  readonly uploads?: 'users' | 'server';
  /** Whether users may choose to log in without mailed codes. */
  readonly allow2faOptOut?: boolean;
  /** Who may join which rooms, by patterns of their names; others only with the API key. */
  readonly rooms?: Readonly<Record<string, 'public' | 'users'>>;
  /** The language of mails and pages for those who ask for none that there is. */
  readonly language?: 'en' | 'de' | 'fr' | 'es';
}

/** How many calls a minute the project may make. */
export function rateLimitOf(project: Project): number {
  return project.rateLimit ?? tiers[project.tier].callsPerMinute;
}

/** Finds the project that a call is for. */
export interface ProjectDirectory {
  findByRef(ref: string): Promise<Project | undefined>;
  findByApiKey(apiKey: string): Promise<Project | undefined>;
}
