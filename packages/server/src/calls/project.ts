import type { NowOrLater } from '../platform/concurrency/now-or-later.ts';
import type { Tier } from '../platform/config/config.ts';
import type { ScopedKey } from './scoped-key.ts';
import type { TierLimits, Tiers } from './tiers.ts';

/** A project as it is stored. */
export interface ProjectRecord {
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
  /** When a browser was last seen to send the API key; what is cached may be older. */
  readonly keyInBrowserAt: Date | null;
  readonly createdAt: Date;
}

/** A project with what it may use: the figures of its tier, and those agreed with it. */
export interface Project extends ProjectRecord {
  readonly limits: TierLimits;
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
  /** What the request log keeps of query strings: names only, unless it is `full`. */
  readonly logQueries?: 'names' | 'full';
  /** Who gets test mails through the deployment’s mail server. */
  readonly testReceivers?: readonly string[];
  /** Whether API keys that a browser sends are refused. */
  readonly refuseBrowserKeys?: boolean;
}

/** How many calls a minute the project may make. */
export function rateLimitOf({ limits }: Pick<Project, 'limits'>): number {
  return limits.callsPerMinute;
}

/** What a project may use. */
export function limitsOf(
  { tier, rateLimit }: Pick<ProjectRecord, 'tier' | 'rateLimit'>,
  tiers: Tiers,
): TierLimits {
  const limits = tiers[tier];
  return rateLimit === null ? limits : { ...limits, callsPerMinute: rateLimit };
}

/** Whose an API key is. */
export interface KeyHolder {
  readonly project: Project;
  /** Absent: it is the key that may do everything. */
  readonly key?: ScopedKey;
}

/** Finds the project that a call is for. */
export interface ProjectDirectory {
  findByRef(ref: string): NowOrLater<Project | undefined>;
  findByApiKey(apiKey: string): NowOrLater<KeyHolder | undefined>;
  /** The same, for what keeps a key by its hash. */
  findByKeyHash(hash: Buffer): NowOrLater<KeyHolder | undefined>;
}
