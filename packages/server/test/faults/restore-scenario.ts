import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LiveClient } from '../support/live-client.ts';
import { ArchivedPostgres } from './archived-postgres.ts';
import { call } from './call.ts';
import type { Outcome } from './conduct.ts';
import { judgeWrites } from './judge-writes.ts';
import { Nodes } from './nodes.ts';
import { readStored } from './read-stored.ts';
import type { Rig, Scenario } from './scenario.ts';

const programs = ['/usr/bin/pgbackrest', '/usr/lib/postgresql/15/bin/postgres'];
const documents = 500;

/** As docs/backup.md says: back up, go on, and go back to a moment in between. */
export const restoreScenario: Scenario = {
  name: 'restored to a moment, with pgBackRest',
  postgres: 15,
  isMissing: () => {
    const missing = programs.filter((program) => !existsSync(program));
    return missing.length === 0 ? undefined : `${missing.join(', ')} is not installed`;
  },
  run: backToMoment,
};

async function backToMoment({ folder }: Rig): Promise<Outcome> {
  await using postgres = await ArchivedPostgres.start(join(folder, 'archived'));
  const databaseUrl = postgres.url('plinth');
  await using nodes = await Nodes.start({ DATABASE_URL: databaseUrl }, [{}]);
  const { apiKey } = nodes.project;
  await call(nodes.urls[0]!, apiKey, { method: 'POST', path: '/collections', body: { name: 'faults' } });
  const token = await signUp(nodes);
  const cursor = await cursorOf(nodes);
  postgres.backUp();
  const created = await createSome(nodes, 'before');
  const moment = await momentOf(postgres);
  await createSome(nodes, 'after');

  const from = performance.now();
  await nodes.stopNode(0, 'SIGTERM');
  await postgres.stop();
  postgres.restore(moment);
  await postgres.begin();
  const engineGapMs = performance.now() - from;
  await nodes.run('after-restore');
  await nodes.startNode(0);
  const stored = await readStored(databaseUrl, 'faults');
  const complaints = await complaintsOf(nodes, token, cursor);
  const gapMs = performance.now() - from;

  const { lost, doubled } = judgeWrites({ created, raised: new Map() }, stored);
  const later = [...stored.names.values()].filter((name) => name.startsWith('after'));
  if (later.length > 0) complaints.push(`${later.length} documents are from after the moment.`);
  return {
    acknowledged: created.size,
    lost,
    doubled,
    missing: [],
    invented: [],
    resyncs: 1,
    writeGapMs: gapMs,
    readGapMs: gapMs,
    engineGapMs,
    // Two commands, one after the other.
    graceMs: 20_000,
    isWell: await nodes.areReady(),
    complaints,
    failures: new Map(),
  };
}

async function createSome(nodes: Nodes, prefix: string): Promise<Map<string, string>> {
  const created = new Map<string, string>();
  for (let n = 0; n < documents; n += 1) {
    const asked = { method: 'POST', path: '/collections/faults', body: { name: `${prefix} ${n}` } } as const;
    const { status, document } = await call(nodes.urls[0]!, nodes.project.apiKey, asked);
    if (status === 201) created.set(asked.body.name, String(document.id));
  }
  return created;
}

/** Between everything before and everything after, by the clock of the database. */
async function momentOf(postgres: ArchivedPostgres): Promise<Date> {
  await sleep(50);
  const [row] = await postgres.query('plinth', 'SELECT clock_timestamp() AS at');
  await sleep(50);
  return row?.at as Date;
}

async function signUp(nodes: Nodes): Promise<string> {
  const response = await fetch(`${nodes.urls[0]}/auth-collections/signup`, {
    method: 'POST',
    headers: { 'x-api-key': nodes.project.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', password: 'correct horse' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

const liveTo = (nodes: Nodes) => LiveClient.open(nodes.urls[0]!, { 'x-api-key': nodes.project.apiKey });

async function cursorOf(nodes: Nodes): Promise<string> {
  await using client = await liveTo(nodes);
  return (await client.subscribe('faults')).cursor;
}

/** Whoever was signed in is not, and whoever subscribed is told to read again. */
async function complaintsOf(nodes: Nodes, token: string, cursor: string): Promise<string[]> {
  const complaints: string[] = [];
  const { status } = await fetch(`${nodes.urls[0]}/p/${nodes.project.ref}/auth-collections/user`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (status !== 401) complaints.push(`A sign-in of before the restore is answered ${status}.`);
  await using client = await liveTo(nodes);
  client.send({ type: 'subscribe', id: 'a', collection: 'faults', since: cursor });
  await client
    .next('resync', undefined, 10_000)
    .catch(() => complaints.push('No subscriber is told to resync.'));
  return complaints;
}
