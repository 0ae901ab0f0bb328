import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ConfigError, type Tier } from '../platform/config/config.ts';

const megabyte = 1_048_576;
const gigabyte = 1024 * megabyte;

const most = Number.MAX_SAFE_INTEGER;
const figure = (description: string, minimum = 0, maximum = most) =>
  Type.Integer({ minimum, maximum, description });
/** Null: no limit. */
const quota = (description: string) => Type.Union([figure(description), Type.Null()], { description });

/** What a project of a tier may use. docs/limits.md is made from this. */
const tierSchema = Type.Object({
  callsPerMinute: figure('requests per minute', 1),
  fileBytes: figure('bytes of one file'),
  storageBytes: quota('bytes of all files, including resized images'),
  documents: quota('documents in all collections'),
  documentBytes: quota('bytes of all documents; each is rounded up to a multiple of 256'),
  collections: quota('collections'),
  users: quota('app users'),
  indexes: quota('indexes on all collections'),
  ownTables: quota('large collections that have their own table'),
  idempotencyBytes: quota('bytes of responses kept for an `Idempotency-Key`'),
  mailsPerDay: quota('emails per day (UTC)'),
  textsPerDay: quota('text messages per day (UTC)'),
  requestLogDays: figure('days that requests stay in the request log', 0, 366),
  sessionsPerUser: figure('sessions of one app user; another sign-in ends the oldest', 1, 10_000),
});

export type TierLimits = Readonly<Static<typeof tierSchema>>;
export type Tiers = Readonly<Record<Tier, TierLimits>>;

/** What each figure of a tier counts, in words. */
export const tierFigures = Object.entries(tierSchema.properties).map(
  ([name, schema]) =>
    [name as keyof TierLimits, String('description' in schema && schema.description)] as const,
);

const withoutQuotas = {
  documents: null,
  documentBytes: null,
  collections: null,
  users: null,
  indexes: null,
  ownTables: null,
  idempotencyBytes: null,
  mailsPerDay: null,
  textsPerDay: null,
  sessionsPerUser: 100,
};

/** The tiers of an operator who has not said otherwise. */
export const defaultTiers: Tiers = {
  free: {
    ...withoutQuotas,
    callsPerMinute: 60,
    fileBytes: 10 * megabyte,
    storageBytes: gigabyte,
    requestLogDays: 1,
  },
  standard: {
    ...withoutQuotas,
    callsPerMinute: 100,
    fileBytes: 10 * megabyte,
    storageBytes: gigabyte,
    requestLogDays: 3,
  },
  pro: {
    ...withoutQuotas,
    callsPerMinute: 1000,
    fileBytes: 100 * megabyte,
    storageBytes: 100 * gigabyte,
    requestLogDays: 7,
  },
  enterprise: {
    ...withoutQuotas,
    callsPerMinute: 1_000_000,
    fileBytes: gigabyte,
    storageBytes: null,
    requestLogDays: 30,
  },
};

export function isTier(text: string): text is Tier {
  return Object.hasOwn(defaultTiers, text);
}

const closed = { additionalProperties: false };
const someFigures = Type.Partial(tierSchema, closed);
const someTiers = Type.Partial(
  Type.Object({ free: someFigures, standard: someFigures, pro: someFigures, enterprise: someFigures }),
  closed,
);

/** The tiers as the operator has set them in `TIERS`: JSON with the figures that differ. */
export function readTiers(text: string): Tiers {
  if (text === '') return defaultTiers;
  const set = parsed(text);
  if (!Value.Check(someTiers, set)) throw notTiers(problemsIn(set));
  return Object.fromEntries(
    Object.entries(defaultTiers).map(([tier, limits]) => [tier, { ...limits, ...set[tier as Tier] }]),
  ) as Tiers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notTiers([`it is not valid JSON: ${error instanceof Error ? error.message : ''}`]);
  }
}

function problemsIn(set: unknown): string[] {
  return Value.Errors(someTiers, set).map((error) => {
    const place = error.instancePath.slice(1).replaceAll('/', '.') || 'it';
    return `${place} ${error.message}`;
  });
}

function notTiers(problems: readonly string[]): ConfigError {
  const names = tierFigures.map(([name]) => name).join(', ');
  return new ConfigError(
    `The configuration is not valid:\n  TIERS: ${problems.slice(0, 5).join('; ')}. It must be JSON, such as {"free": {"documents": 10000}}. The tiers are ${Object.keys(defaultTiers).join(', ')}; their limits are ${names}.`,
  );
}
