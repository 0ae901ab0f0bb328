import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import { readSentinelUrl } from '../redis/sentinel-url.ts';
import { configSchema, poolConfigSchema } from './config-schema.ts';

export type Config = Static<typeof configSchema>;
export type PoolConfig = Static<typeof poolConfigSchema>;
export type Tier = Config['DEFAULT_TIER'];

/** Names every setting that is wrong, all at once. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

export function parseConfig(environment: Environment): Config {
  const config = parse(configSchema, environment);
  const contradictions = contradictionsIn(config);
  if (contradictions.length > 0) throw notUsable(contradictions);
  return config;
}

/** What opens the data of projects: it must not be where their code runs. */
const notForPools = [
  'DATABASE_URL',
  'CELL_DATABASE_URLS',
  'POOLED_DATABASE_URLS',
  'SECRET_KEY',
  'OLD_SECRET_KEYS',
  'REDIS_URL',
];

export function parsePoolConfig(environment: Environment): PoolConfig {
  const config = parse(poolConfigSchema, environment);
  const problems = notForPools
    .filter((name) => environment[name])
    .map((name) => `  ${name} is set: a machine that runs the code of projects must not have it. Remove it.`);
  if (/^(off|remote)$/.test(config.FUNCTIONS_SANDBOX))
    problems.push('  FUNCTIONS_SANDBOX must be a sandbox of this machine, or be omitted.');
  if (problems.length > 0) throw notUsable(problems);
  return config;
}

function parse<Schema extends TObject>(schema: Schema, environment: Environment): Static<Schema> {
  const known: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(schema.properties)) {
    const text = environment[key];
    if (text === undefined || text === '') continue;
    known[key] = isNumber(one, text) ? Number(text) : text;
  }
  const config = Value.Default(schema, known);
  if (!Value.Check(schema, config)) throw notUsable(problemsIn(schema, known));
  return config;
}

function isNumber(schema: object, text: string): boolean {
  if (!('type' in schema)) return false;
  return schema.type === 'integer'
    ? /^-?\d+$/.test(text)
    : schema.type === 'number' && /^\d+(?:\.\d+)?$/.test(text);
}

function notUsable(problems: readonly string[]): ConfigError {
  return new ConfigError(`The configuration is not valid:\n${problems.join('\n')}`);
}

/** Settings that are each allowed, but not together. */
function contradictionsIn(config: Config): string[] {
  const problems: string[] = [];
  if (config.REDIS_URL?.includes('+sentinel:') && !readSentinelUrl(config.REDIS_URL)) {
    problems.push(
      '  REDIS_URL: write Sentinels as redis+sentinel://user:password@host:26379,host:26379/name, with the name under which they know the primary.',
    );
  }
  if (config.SMTP_URL !== undefined && config.MAIL_FROM === undefined) {
    problems.push('  MAIL_FROM is missing: with SMTP_URL, emails need a sender address.');
  }
  if (config.ACCOUNT_OIDC_ISSUER !== undefined && config.ACCOUNT_OIDC_CLIENT === undefined) {
    problems.push('  ACCOUNT_OIDC_CLIENT is missing: ACCOUNT_OIDC_ISSUER needs a client_id:client_secret.');
  }
  if (config.ACCOUNT_OIDC_ISSUER !== undefined && !URL.canParse(config.ACCOUNT_OIDC_ISSUER)) {
    problems.push('  ACCOUNT_OIDC_ISSUER is not a URL, such as https://login.example.com.');
  }
  if (config.ACCOUNT_OIDC_CLIENT !== undefined && config.ACCOUNT_OIDC_ISSUER === undefined) {
    problems.push('  ACCOUNT_OIDC_ISSUER is missing: ACCOUNT_OIDC_CLIENT needs an issuer to sign in at.');
  }
  if (
    config.FUNCTIONS_SANDBOX === 'remote' &&
    (config.FUNCTIONS_POOL_URLS === '' || config.FUNCTIONS_POOL_SECRET === undefined)
  ) {
    problems.push(
      '  FUNCTIONS_POOL_URLS or FUNCTIONS_POOL_SECRET is missing: FUNCTIONS_SANDBOX=remote needs both.',
    );
  }
  return problems;
}

/** Settings that are missing or wrong, each by itself. */
function problemsIn(schemas: TObject, given: Readonly<Record<string, unknown>>): string[] {
  const required = new Set<string>(schemas.required);
  const problems: string[] = [];
  for (const [key, schema] of Object.entries(schemas.properties)) {
    const value = given[key];
    const isMissing = value === undefined;
    if (isMissing && ('default' in schema || !required.has(key))) continue;
    const [error] = Value.Errors(schema, value);
    if (!error) continue;
    const meaning = 'description' in schema ? String(schema.description) : '';
    problems.push(`  ${key} ${isMissing ? 'is missing' : `(${error.message})`}: ${meaning}`);
  }
  return problems;
}

/** The numbers of the cells and the direct addresses of their databases. */
export function parseCells(config: Config): Map<number, string> {
  const further = parseUrls('CELL_DATABASE_URLS', config.CELL_DATABASE_URLS);
  if (further.has(1)) throw new ConfigError('CELL_DATABASE_URLS: cell 1 appears twice: it is DATABASE_URL.');
  return new Map([[1, config.DATABASE_URL], ...further]);
}

/** The addresses of poolers, for cells that have one. */
export function parsePooledCells(config: Config): Map<number, string> {
  const pooled = parseUrls('POOLED_DATABASE_URLS', config.POOLED_DATABASE_URLS);
  const cells = parseCells(config);
  for (const number of pooled.keys())
    if (!cells.has(number))
      throw new ConfigError(`POOLED_DATABASE_URLS: there is no cell ${number} in CELL_DATABASE_URLS.`);
  return pooled;
}

function parseUrls(name: string, text: string): Map<number, string> {
  const urls = new Map<number, string>();
  for (const entry of text.split(/\s+/).filter(Boolean)) {
    const [, digits, url] = /^(\d{1,4})=(postgres(?:ql)?:\/\/.+)$/.exec(entry) ?? [];
    if (digits === undefined || url === undefined)
      throw new ConfigError(`${name}: write each cell as <number>=postgres://…`);
    const number = Number(digits);
    if (urls.has(number)) throw new ConfigError(`${name}: cell ${number} appears twice.`);
    urls.set(number, url);
  }
  return urls;
}
