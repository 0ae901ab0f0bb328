// @postgres newest
// @needs redis
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutBucketCorsCommand } from '@aws-sdk/client-s3';
import { describe, expect, inject, test } from 'vitest';
import { migrateAll } from '../../../src/commands/migrate.ts';
import { withCells } from '../../../src/commands/with-cells.ts';
import { addOrigin, createProject } from '../../../src/features/control/projects/index.ts';
import { createNode } from '../../../src/node/node.ts';
import { createS3Client } from '../../../src/platform/blobs/s3/client.ts';
import { parseConfig } from '../../../src/platform/config/config.ts';
import { ControlDb } from '../../../src/platform/db/control-db.ts';
import { ensureDatabase, startLocalPostgres } from '../../../src/platform/db/local-postgres.ts';
import { isMissing } from '../../support/is-missing.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { runPlinth } from '../../support/nodes/plinth-process.ts';
import { freePort } from '../../support/redis.ts';
import { useTestApp } from '../../support/test-app.ts';
import { testBucket } from '../../support/test-bucket.ts';
import { bucketSettings, environmentOf } from './deployment.ts';

const t = useTestApp({ REDIS_URL: `${inject('redisUrl')}/9` });
const environment = () => environmentOf(t);
interface Report {
  readonly checks: readonly { readonly id: string; readonly status: string; readonly found: string }[];
}

/** Connections, memory and sizes change between two runs. */
const withoutFigures = (text: string) => text.replaceAll(/[\d,]+/g, '0');

describe.skipIf(isMissing('s3'))('of a healthy deployment', () => {
  test('plinth doctor finds no problem and has no warning', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'plinth-doctor-'));
    await chmod(folder, 0o711);
    const settings = {
      wal_level: 'logical',
      max_slot_wal_keep_size: '1GB',
      archive_mode: 'on',
      archive_command: '/bin/true',
    };
    const postgres = await startLocalPostgres({ folder: join(folder, 'postgres'), settings });
    await using mailServer = await startMailServer({ auth: { user: 'plinth', pass: 'a-mail-password' } });
    const bucket = await testBucket();
    const origin = 'https://app.example.com';
    const s3 = createS3Client(bucket);
    const rule = { AllowedOrigins: [origin], AllowedMethods: ['PUT'], AllowedHeaders: ['*'] };
    await s3.send(
      new PutBucketCorsCommand({ Bucket: bucket.bucket, CORSConfiguration: { CORSRules: [rule] } }),
    );
    s3.destroy();
    const port = await freePort();
    const healthy = {
      ...bucketSettings(bucket),
      DATABASE_URL: await ensureDatabase(postgres, 'plinth'),
      SECRET_KEY: 'the-secret-of-a-healthy-deployment',
      REDIS_URL: `${inject('redisUrl')}/10`,
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'no-reply@example.com',
      HOST: '127.0.0.1',
      PORT: String(port),
      ADMIN_PORT: '0',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'fatal',
      SHUTDOWN_DELAY_MS: '0',
    };
    const config = parseConfig(healthy);
    await migrateAll(config);
    const node = await createNode(config);
    try {
      await node.start();
      await withCells(config, async (cells) => {
        const control = new ControlDb(cells.pool(1));
        const { project } = await createProject(control, { name: 'app', tier: 'enterprise' });
        await addOrigin(control, project.ref, origin);
      });
      const printed: string[] = [];
      /** On a busy machine a check may not come to its end in time. */
      const doctor = async (...options: string[]) => {
        const ended = await runPlinth(['doctor', ...options], healthy);
        printed.push(ended.stdout);
        return ended;
      };
      let report: Report;
      const outcome = async () => {
        const { code, stdout, stderr } = await doctor('--json');
        report = JSON.parse(stdout) as Report;
        return { code, stderr, wrong: report.checks.filter(({ status }) => status !== 'ok') };
      };
      await expect.poll(outcome).toEqual({ code: 0, stderr: '', wrong: [] });
      const { checks } = report!;
      expect(report!).toMatchObject({ healthy: true, counts: { ok: checks.length } });

      await expect
        .poll(() => doctor())
        .toMatchObject({
          code: 0,
          stdout: `No problems, no warnings, ${checks.length} ok.\n`,
        });
      const unsaid = async () => {
        const text = withoutFigures((await doctor('--verbose')).stdout);
        return checks.filter(({ found }) => !text.includes(withoutFigures(found)));
      };
      await expect.poll(unsaid).toEqual([]);
      const database = new URL(healthy.DATABASE_URL);
      for (const secret of [
        database.password,
        healthy.SECRET_KEY,
        'a-mail-password',
        bucket.credentials.secretAccessKey,
      ])
        expect(printed.join('')).not.toContain(secret);
    } finally {
      await node.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

test('what is wrong is grouped, with advice and a page, and without colours where there is no terminal', async () => {
  const doctor = () => runPlinth(['doctor'], { ...environment(), TRUST_PROXY: '::/0' });
  const form =
    /^Addresses\n {2}problem {2}TRUST_PROXY: .*\n {4}List only .*\n {4}See docs\/proxies\.md#[^]*\n\d+ problems?, \d+ warnings?, /m;
  await expect.poll(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(form) });
  expect((await doctor()).stdout).not.toContain('\u001B');
});

test.each([
  [['--prosesses', '2'], "Unknown option '--prosesses'"],
  [['--processes', 'many'], '--processes must be a number from 1 to 100000, not "many".'],
])('plinth doctor %j is refused in one line', async (args, said) => {
  const { code, stdout, stderr } = await runPlinth(['doctor', ...args], environment());
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(said);
});
