import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { configSchema } from './config-schema.ts';

export type Config = Static<typeof configSchema>;
export type Tier = Config['DEFAULT_TIER'];

/** Names every setting that is wrong, all at once. */
export class ConfigError extends Error {}

export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const known: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(configSchema.properties)) {
    const text = environment[key];
    if (text === undefined || text === '') continue;
    known[key] = 'type' in schema && schema.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
  }
  const config = Value.Default(configSchema, known);
  if (!Value.Check(configSchema, config)) throw notUsable(problemsIn(known));
  const contradictions = contradictionsIn(config);
  if (contradictions.length > 0) throw notUsable(contradictions);
  return config;
}

function notUsable(problems: readonly string[]): ConfigError {
  return new ConfigError(`The configuration is not usable:\n${problems.join('\n')}`);
}

/** Settings that are each allowed, but not together. */
function contradictionsIn(config: Config): string[] {
  const problems: string[] = [];
  if (config.SMTP_URL !== undefined && config.MAIL_FROM === undefined) {
    problems.push('  MAIL_FROM is missing: with SMTP_URL, mails need an address that they come from.');
  }
  if (config.ACCOUNT_OIDC_ISSUER !== undefined && config.ACCOUNT_OIDC_CLIENT === undefined) {
    problems.push(
      '  ACCOUNT_OIDC_CLIENT is missing: at ACCOUNT_OIDC_ISSUER the deployment is known by a client_id:client_secret.',
    );
  }
  if (config.ACCOUNT_OIDC_ISSUER !== undefined && !URL.canParse(config.ACCOUNT_OIDC_ISSUER)) {
    problems.push('  ACCOUNT_OIDC_ISSUER is not an address, such as https://login.example.com.');
  }
  if (config.ACCOUNT_OIDC_CLIENT !== undefined && config.ACCOUNT_OIDC_ISSUER === undefined) {
    problems.push('  ACCOUNT_OIDC_ISSUER is missing: ACCOUNT_OIDC_CLIENT is for signing in at an issuer.');
  }
  return problems;
}

/** Settings that are missing or wrong, each by itself. */
function problemsIn(given: Readonly<Record<string, unknown>>): string[] {
  const required = new Set<string>(configSchema.required);
  const problems: string[] = [];
  for (const [key, schema] of Object.entries(configSchema.properties)) {
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

/** The numbers of the cells and their databases. */
export function parseCells(config: Config): Map<number, string> {
  const cells = new Map([[1, config.DATABASE_URL]]);
  for (const entry of config.CELL_DATABASE_URLS.split(/\s+/).filter(Boolean)) {
    const [, digits, url] = /^(\d{1,4})=(postgres(?:ql)?:\/\/.+)$/.exec(entry) ?? [];
    if (digits === undefined || url === undefined)
      throw new ConfigError('CELL_DATABASE_URLS: write each cell as <number>=postgres://…');
    const number = Number(digits);
    if (cells.has(number)) throw new ConfigError(`CELL_DATABASE_URLS: cell ${number} is there twice.`);
    cells.set(number, url);
  }
  return cells;
}
