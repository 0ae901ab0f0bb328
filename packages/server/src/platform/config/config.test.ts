import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';
import { configSchema } from './config-schema.ts';

const DATABASE_URL = 'postgres://localhost/plinth';
const SECRET_KEY = 'x'.repeat(32);

test('every problem is named at once, with what the setting means', () => {
  const parse = () => parseConfig({ PORT: 'eighty', LOG_LEVEL: 'loud' });
  expect(parse).toThrow(ConfigError);
  expect(parse).toThrow(/DATABASE_URL is missing[\s\S]*PORT[\s\S]*LOG_LEVEL/);
});

test('an empty variable is as good as none', () => {
  expect(parseConfig({ DATABASE_URL, SECRET_KEY, PORT: '', REDIS_URL: '' })).toMatchObject({
    PORT: 4400,
    DEFAULT_TIER: 'enterprise',
  });
});

test('the issuer of accounts and the client there come together, each in its form', () => {
  const parse = (more: Record<string, string>) => () => parseConfig({ DATABASE_URL, SECRET_KEY, ...more });
  const issuer = 'https://login.example.com/realms/one';
  expect(parse({ ACCOUNT_OIDC_ISSUER: issuer })).toThrow(/ACCOUNT_OIDC_CLIENT is missing/);
  expect(parse({ ACCOUNT_OIDC_CLIENT: 'plinth:s3cret' })).toThrow(/ACCOUNT_OIDC_ISSUER is missing/);
  for (const wrong of [
    'login.example.com',
    'http://login.example.com',
    'https://user@login.example.com',
    'https://login.example.com?tenant=1',
    'https://a b',
    'https://[',
    'ftp://login.example.com',
  ])
    expect(parse({ ACCOUNT_OIDC_ISSUER: wrong, ACCOUNT_OIDC_CLIENT: 'plinth:s3cret' }), wrong).toThrow(
      /ACCOUNT_OIDC_ISSUER/,
    );
  for (const wrong of ['plinth', 'plinth:', ':s3cret', 'plin th:s3cret', 'plinth:s3 cret']) {
    const read = parse({ ACCOUNT_OIDC_ISSUER: issuer, ACCOUNT_OIDC_CLIENT: wrong });
    expect(read, wrong).toThrow(/ACCOUNT_OIDC_CLIENT .*client_id:client_secret/);
    // It may be a secret, misplaced.
    expect(read).not.toThrow(/s3/);
  }
  for (const right of [issuer, `${issuer}/`, 'http://localhost:8080', 'http://[::1]:8080/auth'])
    expect(parse({ ACCOUNT_OIDC_ISSUER: right, ACCOUNT_OIDC_CLIENT: 'plinth:s:cret' })).not.toThrow();
});

test('docs/configuration.md has a row for every setting, and no other', () => {
  const docs = readFileSync(new URL('../../../../../docs/configuration.md', import.meta.url), 'utf8');
  const rows = Array.from(
    docs.matchAll(/^\| `([A-Z_0-9]+)` \| ([^|]*) \| (.*) \|$/gm),
    ([, name, fallback, meaning]) => [name, fallback!.trim(), meaning!.trim()],
  );
  const expected = Object.entries(configSchema.properties).map(([name, schema]) => {
    const { default: fallback, description } = schema as unknown as {
      default?: string | number;
      description: string;
    };
    return [name, fallback === undefined || fallback === '' ? '–' : `\`${fallback}\``, description];
  });
  expect(rows).toEqual(expected);
});
