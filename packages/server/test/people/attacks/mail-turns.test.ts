// @postgres newest
import { expect, test } from 'vitest';
import { setProjectSecret } from '../../../src/features/control/projects/index.ts';
import { openVault } from '../../../src/platform/crypto/vault.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { type FlowProject, flowProject, signUpAt } from '../../support/people/actors.ts';
import { type MailApp, mailApp } from '../../support/people/mail-app.ts';

/** So many projects of one cell, each of which welcomes whoever signs up. */
async function neighbours(t: MailApp, count: number): Promise<FlowProject[]> {
  const made: FlowProject[] = [];
  const first = await flowProject(t, { configs: { SEND_WELCOME_EMAIL: true } });
  while (made.length + 1 < count) {
    const next = await flowProject(t, { configs: { SEND_WELCOME_EMAIL: true } });
    if (next.pool === first.pool) made.push(next);
  }
  return [first, ...made];
}

async function signUpMany(t: MailApp, project: FlowProject, count: number): Promise<void> {
  await Promise.all(Array.from({ length: count }, () => signUpAt(t, project)));
}

test('jobs: a project whose mail server is slow does not hold up the mail of another', async () => {
  await using t = await mailApp({ JOB_CONCURRENCY: '4' });
  await using slow = await startMailServer();
  const [many, few] = (await neighbours(t, 2)) as [FlowProject, FlowProject];
  const port = Number(new URL(slow.url).port);
  const value = { host: '127.0.0.1', port, tls: 'none', from: 'slow@project.example' };
  await setProjectSecret(t.control, openVault(t.config), { ref: many.ref, name: 'mail', value });
  const held = Array.from({ length: 4 }, () => slow.holdNext());
  await signUpMany(t, many, held.length);
  await held[1]!.arrived;
  const { email } = await signUpAt(t, few);
  await t.mail.mailTo(email);
  expect(slow.mails).toHaveLength(0);
  expect(slow.attempts).toBe(2);
  for (const delivery of held) delivery.release();
  await expect.poll(() => slow.mails.length).toBe(held.length);
});

test('jobs: a project’s one mail does not wait for all that others have queued before it', async () => {
  await using t = await mailApp({ JOB_CONCURRENCY: '0' });
  const [first, second, few] = (await neighbours(t, 3)) as [FlowProject, FlowProject, FlowProject];
  for (const many of [first, second]) await signUpMany(t, many, 20);
  const { email } = await signUpAt(t, few);
  await t.node({ JOB_CONCURRENCY: '1' });
  await t.mail.mailTo(email);
  expect(t.mail.mails.length).toBeLessThan(20);
  await expect.poll(() => t.mail.mails.length).toBe(41);
});
