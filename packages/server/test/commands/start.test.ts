// @postgres newest
import { createServer } from 'node:net';
import { describe, expect, inject, test } from 'vitest';
import { emptyDatabase } from '../support/nodes/empty-database.ts';
import { PlinthProcess, runPlinth } from '../support/nodes/plinth-process.ts';
import { testDatabases } from '../support/test-databases.ts';

const local = { HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' };
const database = (name: string, login: { username?: string; password?: string } = {}) => {
  const url = new URL(inject('postgresUrl'));
  url.pathname = name;
  return Object.assign(url, login).href;
};

/** What the person at the keyboard reads: words, not a stack. */
async function refusal(args: string[], environment: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runPlinth(args, environment);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).not.toMatch(/^\s+at /m);
  return stderr;
}

describe.concurrent('plinth start says what is wrong', () => {
  test('with the environment: every wrong setting at once', async () => {
    const wrong = {
      PORT: 'http',
      DEFAULT_TIER: 'gold',
      LOG_LEVEL: 'loud',
      ROOT_PROJECT: 'x',
      PUBLIC_URL: 'https://api.example.com/path',
      REDIS_URL: 'localhost:6379',
    };
    const said = await refusal(['start'], { ...wrong, HOST: '127.0.0.1' });
    for (const name of ['DATABASE_URL is missing', ...Object.keys(wrong)]) expect(said).toContain(name);
    expect(said).not.toContain('HOST');
  });

  test('with a proxy list that is none', async () => {
    const said = await refusal(['start'], { ...local, DATABASE_URL: database('x'), TRUST_PROXY: 'my proxy' });
    expect(said).toContain('TRUST_PROXY');
  });

  test('with options it does not take', async () => {
    const said = await refusal(['start', '--port', '1'], { DATABASE_URL: database('x') });
    expect(said).toContain('environment variables');
  });

  test.each([
    ['nobody listens', () => 'postgres://x@127.0.0.1:1/x', /cannot be used.*127\.0\.0\.1:1/],
    ['nobody listens on any address of a name', () => 'postgres://x@localhost:1/x', /cannot be used: .+/],
    ['the host is not known', () => 'postgres://x@nowhere.invalid/x', /cannot be used.*nowhere\.invalid/],
    [
      'the password is wrong',
      () => database('postgres', { username: 'stranger', password: 'wrong' }),
      /cannot be used.*password/,
    ],
    ['the database is not there', () => database('not_there'), /cannot be used.*not_there/],
  ])('with the database: %s', async (_, url, said) => {
    expect(await refusal(['start'], { ...local, DATABASE_URL: url() })).toMatch(said);
  });

  test('with a database that was not prepared', async () => {
    const node = new PlinthProcess(['start'], {
      ...local,
      LOG_LEVEL: 'info',
      DATABASE_URL: await emptyDatabase(),
    });
    await using _ = node;
    const outcome = await Promise.race([
      node.ended.then(({ stderr }) => stderr),
      node.untilPrinted('stderr', /Server listening/),
    ]);
    expect(outcome).toMatch(/not prepared.*plinth migrate/);
  });

  test('with the port', async () => {
    const { first: DATABASE_URL } = await testDatabases();
    const taken = createServer().listen(0, '127.0.0.1');
    try {
      await new Promise((listening) => taken.once('listening', listening));
      const { port } = taken.address() as { port: number };
      expect(await refusal(['start'], { ...local, PORT: String(port), DATABASE_URL })).toContain(
        'port is in use',
      );
    } finally {
      taken.close();
    }
  });
});

describe.concurrent('plinth', () => {
  test('alone or with --help: what there is to run', async () => {
    for (const args of [[], ['--help']]) {
      const { code, stdout, stderr } = await runPlinth(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const command of ['dev', 'start', 'migrate', 'project create'])
        expect(stdout).toContain(`plinth ${command}`);
    }
  });

  test('--version', async () => {
    expect((await runPlinth(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('a command that is not', async () => {
    expect(await refusal(['strat'], {})).toContain('There is no "plinth strat".');
  });
});
