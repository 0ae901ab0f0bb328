import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProject, setTier } from '../../packages/server/src/features/control/projects/index.ts';
import { ControlDb } from '../../packages/server/src/platform/db/control-db.ts';
import { loadDocuments } from '../bulk-load.ts';
import { call, exchange } from '../http.ts';
import type { Call, CallName, Units } from '../scale/units.ts';
import { articleOf, idsOf } from '../speed/documents.ts';
import { fill } from '../speed/fill.ts';
import { scriptOf } from '../speed/script.ts';
import { worksFor } from '../speed/works.ts';
import { runWrk } from '../speed/wrk.ts';
import { measureCost } from './costs.ts';
import type { Stage } from './stage.ts';

/** From 10,000 on the node would index the collection during the measurement. */
const documents = 5000;
const doomed = 200_000;
/** Of projects whose limits are counted in Redis, request by request, as those of most projects are. */
const strangers = { projects: 40, callsPerMinute: 9999 };
const together = 64;
const warmS = 6;

type Filled = Awaited<ReturnType<typeof fill>>;

/** Scripts of one kind of call: one for each run, since what is deleted is gone. */
type Scripts = (run: number) => string;

/** What each kind of call costs, together and alone. */
export async function measureCalls(
  stage: Stage,
  seconds: number,
): Promise<Pick<Units, 'calls' | 'statementMs'> & Pick<Filled, 'apiKey' | 'projectId'>> {
  const { node, databaseUrl, postgres } = stage;
  const { apiKey, idsFile, projectId } = await fill(node.url, databaseUrl, postgres.folder, documents);
  const scripts = await scriptsFor(stage, { apiKey, idsFile, projectId });
  // Until all of its code was compiled, a node costs much more.
  const mix = scripts.at(-1)![1](0);
  await runWrk({ url: node.url, connections: together, seconds: warmS, script: mix });
  const calls: Partial<Record<CallName, Call>> = {};
  let statementMs = 0;
  for (const [name, script] of scripts) {
    const alone = await measureCost(stage, { connections: 1, seconds, warm: script(0), script: script(1) });
    const crowd = await measureCost(stage, {
      connections: together,
      seconds,
      warm: script(2),
      script: script(3),
    });
    if (name === 'read') ({ statementMs } = alone);
    calls[name] = { together: crowd.cost, alone: alone.cost };
    process.stdout.write(`${name}: ${JSON.stringify(calls[name])}\n`);
  }
  return { calls: calls as Record<CallName, Call>, statementMs, apiKey, projectId };
}

async function scriptsFor(
  stage: Stage,
  { apiKey, idsFile, projectId }: Filled,
): Promise<[CallName, Scripts][]> {
  const works = new Map(worksFor(documents).map(({ name, request }) => [name, request]));
  const headers = { 'X-API-Key': apiKey };
  const of = (work: string, before = '') => {
    const script = scriptOf({ request: `${before} ${works.get(work)!}`, idsFile, headers });
    return () => script;
  };
  const doomedIds = await loadDoomed(stage, apiKey, projectId);
  const users = await makeUsers(stage);
  return [
    ['read', of('point read')],
    [
      'read by an app user',
      () =>
        scriptOf({
          request: `local token, path = any(ids):match("(%S+) (%S+)")
            return wrk.format("GET", path, { ["Authorization"] = "Bearer " .. token })`,
          idsFile: users,
          headers: {},
        }),
    ],
    ['newest 20', of('newest 20')],
    ['filtered list', of('filtered list')],
    ['create', of('create')],
    [
      'create with key',
      (run) => of('create', `sent["Idempotency-Key"] = "${run}-" .. math.random(1, 2^52)`)(),
    ],
    ['PATCH', of('PATCH')],
    [
      'DELETE',
      (run) =>
        scriptOf({
          // Each run has a part of its own.
          request: `at = (at or ${(run * doomed) / 4}) + 1 return send("DELETE", "/collections/doomed/" .. ids[at])`,
          idsFile: doomedIds,
          headers,
        }),
    ],
    ['login', of('login')],
    ['mix', of('mix 80/15/5')],
  ];
}

async function loadDoomed(
  { node, pool, postgres }: Stage,
  apiKey: string,
  projectId: string,
): Promise<string> {
  await call(`${node.url}/collections`, apiKey, 'POST', { name: 'doomed' });
  const ids = idsOf(doomed, 3);
  await loadDocuments(
    pool,
    ids.map((id, n) => ({ projectId, collection: 3, id, data: articleOf(n) })),
  );
  const file = join(postgres.folder, 'doomed');
  await writeFile(file, ids.join('\n'));
  return file;
}

/** Projects with a signed-in user and a document each: the token and the path. */
async function makeUsers({ node, pool, postgres }: Stage): Promise<string> {
  const control = new ControlDb(pool);
  const ids = idsOf(strangers.projects, 1);
  const lines: string[] = [];
  for (const [n, id] of ids.entries()) {
    const { project, apiKey } = await createProject(control, { name: `bench ${n}`, tier: 'enterprise' });
    await setTier(control, project.ref, 'enterprise', strangers.callsPerMinute);
    await call(`${node.url}/collections`, apiKey, 'POST', {
      name: 'articles',
      settings: { rules: { read: 'users' } },
    });
    await loadDocuments(pool, [{ projectId: project.id, collection: 1, id, data: articleOf(n) }]);
    const { status, text } = await exchange(`${node.url}/auth-collections/signup`, apiKey, {
      method: 'POST',
      body: { email: 'ada@example.com', password: 'correct horse battery' },
    });
    if (status >= 300) throw new Error(`A sign-up failed: ${text}`);
    lines.push(
      `${(JSON.parse(text) as { data: { access_token: string } }).data.access_token} /p/${project.ref}/collections/articles/${id}`,
    );
  }
  const file = join(postgres.folder, 'tokens');
  await writeFile(file, lines.join('\n'));
  return file;
}
