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
