// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kills } from '../../support/kills.ts';
import { type PlinthProcess, startNodeOf } from '../../support/nodes/plinth-process.ts';
import { type FlowProject, flowProject } from '../../support/people/actors.ts';
import { type MailApp, mailApp } from '../../support/people/mail-app.ts';
import { newEmail } from '../../support/people/people.ts';

let t: MailApp;
let project: FlowProject;
const started: PlinthProcess[] = [];
beforeAll(async () => {
  // This node takes the calls and lives; those that send the mails do not.
  t = await mailApp({ JOB_CONCURRENCY: '0', DATABASE_POOL_SIZE: '8' });
  project = await flowProject(t, { configs: { SEND_WELCOME_EMAIL: true } });
});
afterAll(async () => {
  await Promise.all(started.map((node) => node[Symbol.asyncDispose]()));
  await t[Symbol.asyncDispose]();
});

async function startWorker(): Promise<PlinthProcess> {
  const { process } = await startNodeOf(t, {
    SMTP_URL: t.mail.url,
    MAIL_FROM: 'no-reply@plinth.example',
    JOB_CONCURRENCY: '1',
    DATABASE_POOL_SIZE: '2',
  });
  started.push(process);
  return process;
}

const nodesAtOnce = 4;
const rounds = kills / nodesAtOnce;

test(`H5: ${kills} nodes killed in the middle of a delivery, and one that stood still, lose no mail`, async () => {
  const people: string[] = [];
  const signUp = async () => {
    const email = newEmail();
    const reply = await project.door.post('/auth-collections/signup', { email, password: 'correct horse' });
    if (reply.status === 201) people.push(email);
  };
  /** Every node in the middle of a delivery: each does one at a time. */
  const holdAll = async (count: number) => {
    const holds = Array.from({ length: count }, () => t.mail.holdNext());
    await Promise.all(Array.from({ length: count + 3 }, signUp));
    await Promise.all(holds.map(({ arrived }) => arrived));
    return holds;
  };
  let next = Array.from({ length: nodesAtOnce }, startWorker);
  for (let round = 0; round < rounds; round += 1) {
    const nodes = await Promise.all(next);
    const holds = await holdAll(nodesAtOnce);
    next = Array.from({ length: round === rounds - 1 ? 2 : nodesAtOnce }, startWorker);
    for (const node of nodes) node.signal('SIGKILL');
    await Promise.all(nodes.map(({ ended }) => ended));
    // What the server has taken although the sender is dead comes twice; what it has not must come again.
    for (const [n, held] of holds.entries()) if (n % 2 === 0) held.release();
  }

  // One of the two that are left stands still for as long as a dead one needs to be noticed.
  const [paused, last] = (await Promise.all(next)) as [PlinthProcess, PlinthProcess];
  const holds = await holdAll(2);
  paused.signal('SIGSTOP');
  for (const held of holds) held.release();
  const welcomed = () => new Set(t.mail.mails.flatMap(({ to }) => to));
  await expect.poll(() => people.filter((email) => !welcomed().has(email)), { interval: 200 }).toEqual([]);
  const left = async () => (await project.pool.query('SELECT FROM graphile_worker.jobs')).rowCount;
  await expect.poll(left, { interval: 200 }).toBe(0);
  paused.signal('SIGCONT');
  await sleep(300);
  expect([paused.isRunning, last.isRunning]).toEqual([true, true]);

  const ids = new Map<string, Set<string>>();
  for (const { to, messageId } of t.mail.mails)
    ids.set(to[0]!, (ids.get(to[0]!) ?? new Set()).add(messageId));
  const lost = people.filter((email) => !ids.has(email));
  const doubles = t.mail.mails.length - ids.size;
  console.log(
    `H5: ${kills} nodes killed, 1 paused: ${lost.length} of ${people.length} mails lost, ${doubles} came twice.`,
  );
  expect(started).toHaveLength(kills + 2);
  expect(lost).toEqual([]);
  // A mail that comes twice is the same mail, so that mail programs show it once.
  expect([...ids.values()].filter((of) => of.size > 1)).toEqual([]);
  expect(doubles).toBeLessThanOrEqual(kills + 2);
});
