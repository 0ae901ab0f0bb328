// @postgres newest
// @needs redis faketime
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutBucketPolicyCommand } from '@aws-sdk/client-s3';
import { describe, expect, inject, test } from 'vitest';
import { examine } from '../../../src/commands/doctor/run-doctor.ts';
import { createS3Client } from '../../../src/platform/blobs/s3/client.ts';
import { findFaketime } from '../../support/engines.ts';
import { isMissing } from '../../support/is-missing.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { runPlinth } from '../../support/nodes/plinth-process.ts';
import { freePort, startRedis } from '../../support/redis.ts';
import { startSmallServer } from '../../support/small-server.ts';
import { useTestApp } from '../../support/test-app.ts';
import { testBucket } from '../../support/test-bucket.ts';
import { bucketSettings, environmentOf, findingIn } from './deployment.ts';

const t = useTestApp({ REDIS_URL: `${inject('redisUrl')}/9` });
const environment = (changes?: Record<string, string>) => environmentOf(t, changes);
const findingOf = (id: string, changes: Record<string, string>, processes?: number) =>
  findingIn(id, environment(changes), processes);

describe('plinth doctor finds and names', () => {
  test('a setting that is missing or wrong, and one that is misspelt', async () => {
    const { SECRET_KEY: _, ...rest } = environment({
      PORT: 'http',
      S3_BUKET: 'files',
      PLINTH_REDIS_URL: 'x',
    });
    const { healthy, checks } = await examine(rest);
    expect(healthy).toBe(false);
    expect(checks).toMatchObject([
      {
        id: 'configuration',
        status: 'problem',
        found: expect.stringMatching(/PORT[\s\S]*SECRET_KEY is missing|SECRET_KEY is missing[\s\S]*PORT/),
      },
      {
        id: 'unknown-settings',
        status: 'warning',
        found: expect.stringContaining('S3_BUKET (S3_BUCKET?), PLINTH_REDIS_URL (REDIS_URL?)'),
      },
    ]);
  });

  test('a Redis that evicts', async () => {
    const redis = await startRedis({ args: ['--maxmemory', '64mb', '--maxmemory-policy', 'allkeys-lru'] });
    try {
      const statuses = async () => {
        const { checks } = await examine(environment({ REDIS_URL: redis.url }));
        return Object.fromEntries(checks.map(({ id, status }) => [id, status]));
      };
      await expect.poll(statuses).toMatchObject({ 'redis-eviction': 'problem', 'redis-memory': 'warning' });
    } finally {
      await redis.stop();
    }
    await expect
      .poll(() => findingOf('redis-connection', { REDIS_URL: redis.url }))
      .toMatchObject({
        status: 'problem',
        found: expect.stringContaining('cannot be used'),
      });
  });

  test('another SECRET_KEY than that of what is stored', async () => {
    await t.anonymous.get('/.well-known/jwks.json');
    const SECRET_KEY = 'another-secret-than-that-of-the-node';
    await expect
      .poll(() => findingOf('secret-key', { SECRET_KEY }))
      .toMatchObject({
        status: 'problem',
        found: expect.stringContaining('SECRET_KEY cannot decrypt what is stored: signing keys'),
      });
    const both = { SECRET_KEY, OLD_SECRET_KEYS: t.config.SECRET_KEY };
    await expect.poll(() => findingOf('secret-key', both)).toMatchObject({ status: 'ok' });
  });

  test('a mail server that is away, or refuses the login, or is not configured', async () => {
    const MAIL_FROM = 'no-reply@example.com';
    const away = { MAIL_FROM, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` };
    await expect
      .poll(() => findingOf('mail', away))
      .toMatchObject({
        status: 'problem',
        found: expect.stringContaining('ECONNREFUSED'),
      });
    await using server = await startMailServer({ auth: { user: 'plinth', pass: 'right' } });
    const wrong = { MAIL_FROM, SMTP_URL: server.url.replace('right', 'wrongpass') };
    const said: unknown[] = [];
    const refused = async () => {
      said.push(await findingOf('mail', wrong));
      return said.at(-1);
    };
    await expect.poll(refused).toMatchObject({
      status: 'problem',
      advice: expect.stringContaining('user and password'),
    });
    expect(JSON.stringify(said)).not.toContain('wrongpass');
    await expect.poll(() => findingOf('mail', {})).toMatchObject({ status: 'warning' });
  });

  test('a PUBLIC_URL that leads elsewhere', async () => {
    await using other = await startSmallServer(() => ({ hello: 'world' }));
    const found = () => findingOf('public-url', { PUBLIC_URL: other.url });
    await expect
      .poll(() => found())
      .toMatchObject({
        status: 'problem',
        found: expect.stringContaining('something other than Plinth'),
      });
    other.answer(() => ({ keys: [{ kid: 'of-another' }] }));
    await expect
      .poll(() => found())
      .toMatchObject({
        status: 'problem',
        found: expect.stringContaining('another deployment'),
      });
    const nobody = `http://127.0.0.1:${await freePort()}`;
    await expect
      .poll(() => findingOf('public-url', { PUBLIC_URL: nobody }))
      .toMatchObject({
        status: 'problem',
        found: expect.stringContaining('does not respond'),
      });
    await expect.poll(() => findingOf('public-url', {})).toMatchObject({ status: 'ok' });
  });

  test('proxies that are not known, and believing everybody', async () => {
    await expect
      .poll(() => findingOf('trust-proxy', { PUBLIC_URL: 'https://127.0.0.1:1' }))
      .toMatchObject({
        status: 'warning',
      });
    await expect
      .poll(() => findingOf('trust-proxy', { TRUST_PROXY: '10.0.0.0/8, 0.0.0.0/0' }))
      .toMatchObject({
        status: 'problem',
      });
  });

  test('an admin port on a public address, and accounts for everybody without limits', async () => {
    const changes = { ADMIN_PORT: '9400', ADMIN_HOST: '8.8.8.8', ACCOUNT_SIGNUP: 'open' };
    await expect.poll(() => findingOf('admin-port', changes)).toMatchObject({ status: 'problem' });
    await expect.poll(() => findingOf('open-sign-up', changes)).toMatchObject({ status: 'warning' });
  });

  test('a collection that anybody may write to', async () => {
    const { ref, api } = await t.createProject();
    await api.post('/collections', { name: 'guests', settings: { rules: { create: 'public' } } });
    const found = async () => {
      const { checks } = await examine(environment());
      return checks.filter(({ id, status }) => id === 'open-collections' && status === 'warning');
    };
    await expect.poll(found).toMatchObject([{ found: expect.stringContaining(`${ref}/guests`) }]);
  });

  test('a folder for files that cannot be written', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'plinth-doctor-')), 'a-file');
    await writeFile(file, '');
    await expect.poll(() => findingOf('files', { FILES_FOLDER: file })).toMatchObject({ status: 'problem' });
    await expect
      .poll(() => findingOf('files', { FILES_FOLDER: '' }))
      .toMatchObject({
        status: 'problem',
        found: expect.stringContaining('no place'),
      });
  });

  test.skipIf(isMissing('s3'))('a bucket without the right to write, and one that is not there', async () => {
    const bucket = await testBucket();
    const client = createS3Client(bucket);
    const denied = {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Deny',
          Principal: '*',
          Action: 's3:PutObject',
          Resource: `arn:aws:s3:::${bucket.bucket}/*`,
        },
      ],
    };
    await client.send(new PutBucketPolicyCommand({ Bucket: bucket.bucket, Policy: JSON.stringify(denied) }));
    client.destroy();
    await expect
      .poll(() => findingOf('files', bucketSettings(bucket)))
      .toMatchObject({
        status: 'problem',
        found: expect.stringContaining('write failed'),
        advice: expect.stringContaining('s3:PutObject'),
      });
    const none = { ...bucketSettings(bucket), S3_BUCKET: 'not-there' };
    await expect.poll(() => findingOf('files', none)).toMatchObject({ status: 'problem' });
  });

  test('a clock that is wrong', async () => {
    const found = async () => {
      const { code, stdout } = await runPlinth(['doctor', '--json'], {
        ...environment(),
        LD_PRELOAD: findFaketime() ?? '',
        FAKETIME: '+90s',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      });
      const { checks } = JSON.parse(stdout) as { checks: { id: string }[] };
      return { code, ...checks.find(({ id }) => id === 'clocks') };
    };
    await expect.poll(found).toMatchObject({
      code: 1,
      status: 'problem',
      found: expect.stringMatching(/(89|90)\.\d s ahead of/),
    });
  });
});
