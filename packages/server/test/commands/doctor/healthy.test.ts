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
      const { code, stdout, stderr } = await runPlinth(['doctor', '--json'], healthy);
      const report = JSON.parse(stdout) as { checks: { id: string; status: string; found: string }[] };
      expect(report.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(report).toMatchObject({ healthy: true, counts: { ok: report.checks.length } });

      const quiet = await runPlinth(['doctor'], healthy);
      expect(quiet).toMatchObject({
        code: 0,
        stdout: `No problems, no warnings, ${report.checks.length} ok.\n`,
      });
      const verbose = (await runPlinth(['doctor', '--verbose'], healthy)).stdout;
      for (const { found } of report.checks) expect(withoutFigures(verbose)).toContain(withoutFigures(found));
      const database = new URL(healthy.DATABASE_URL);
      for (const secret of [
        database.password,
        healthy.SECRET_KEY,
        'a-mail-password',
        bucket.credentials.secretAccessKey,
      ])
        expect(stdout + verbose).not.toContain(secret);
    } finally {
      await node.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

test('what is wrong is grouped, with advice and a page, and without colours where there is no terminal', async () => {
  const { code, stdout } = await runPlinth(['doctor'], { ...environment(), TRUST_PROXY: '::/0' });
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^Addresses\n {2}problem {2}TRUST_PROXY: .*\n {4}List only .*\n {4}See docs\/proxies\.md#/m,
  );
  expect(stdout).not.toContain('\u001B');
  expect(stdout).toMatch(/\n\d+ problems?, \d+ warnings?, /);
});

test.each([
  [['--prosesses', '2'], "Unknown option '--prosesses'"],
  [['--processes', 'many'], '--processes must be a number from 1 to 100000, not "many".'],
])('plinth doctor %j is refused in one line', async (args, said) => {
  const { code, stdout, stderr } = await runPlinth(['doctor', ...args], environment());
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(said);
});
