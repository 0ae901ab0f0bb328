// Does a lone call pay for the company it does not have? Reads documents one after the other, by the statement that
// calls share and by one of their own, in turns, and compares.

import { createProject } from '../packages/server/src/features/control/projects/index.ts';
import { findCollection } from '../packages/server/src/features/data/collections/index.ts';
import { findTogether } from '../packages/server/src/features/data/documents/shared-store.ts';
import { findDocument } from '../packages/server/src/features/data/documents/store.ts';
import { ControlDb } from '../packages/server/src/platform/db/control-db.ts';
import { createPool } from '../packages/server/src/platform/db/pool.ts';
import { ProjectDb } from '../packages/server/src/platform/db/project-db.ts';
import { SharedStatements } from '../packages/server/src/platform/db/shared-statements.ts';
import { loadDocuments } from './bulk-load.ts';
import { call } from './http.ts';
import { percentile } from './percentiles.ts';
import { startService } from './service.ts';
import { articleOf, idsOf } from './speed/documents.ts';

const documents = 10_000;
const rounds = 5000;
const most = 1.15;

await using service = await startService(4491);
const pool = createPool(service.databaseUrl, { size: 4, statementTimeoutMs: 60_000 }, console);
const { project, apiKey } = await createProject(new ControlDb(pool), { name: 'bench', tier: 'enterprise' });
await call(`${service.url}/collections`, apiKey, 'POST', { name: 'articles' });
const ids = idsOf(documents, 1);
await loadDocuments(
  pool,
  ids.map((id, n) => ({ projectId: project.id, collection: 1, id, data: articleOf(n) })),
);
const shared = createPool(
  service.databaseUrl,
  { size: 4, statementTimeoutMs: 60_000, plansOnce: true },
  console,
);
const db = new ProjectDb(pool, project.id, { shared: new SharedStatements(shared) });
const collection = (await findCollection(db, 'articles'))!;
const times = { shared: [] as number[], alone: [] as number[] };
for (let round = -500; round < rounds; round += 1) {
  const id = ids[Math.floor(Math.random() * ids.length)]!;
  const turns = [
    ['shared', () => findTogether(db, collection, id)],
    ['alone', () => findDocument(db, collection, id)],
  ] as const;
  for (const [kind, read] of round % 2 === 0 ? turns : turns.toReversed()) {
    const startedAt = performance.now();
    if (!(await read())) throw new Error('A document is missing.');
    if (round >= 0) times[kind].push(performance.now() - startedAt);
  }
}
await Promise.all([pool.end(), shared.end()]);
const [together, alone] = [percentile(times.shared, 0.5), percentile(times.alone, 0.5)];
const ratio = together / alone;
process.stdout.write(
  `p50 of ${rounds} reads, one at a time: ${together.toFixed(3)} ms shared, ${alone.toFixed(3)} ms alone: ${ratio.toFixed(2)} times (at most ${most} wanted)\n`,
);
if (ratio > most) process.exitCode = 1;
