// What does the request log cost? Makes the same calls on a node that keeps it and on one that does not, in turns of a few
// seconds: of one busy project, and of many whose calls are all kept. See README.md.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createProject } from '../packages/server/src/features/control/projects/index.ts';
import { ControlDb } from '../packages/server/src/platform/db/control-db.ts';
import { createPool } from '../packages/server/src/platform/db/pool.ts';
import { loadDocuments } from './bulk-load.ts';
import { call } from './http.ts';
import { startNode, startPostgres } from './service.ts';
import { articleOf, idsOf } from './speed/documents.ts';
import { fill } from './speed/fill.ts';
import { compare, inTurns, takeTurn } from './speed/in-turns.ts';
import { scriptOf } from './speed/script.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    projects: { type: 'string', default: '1000' },
  },
});
const seconds = Number(options.seconds);
/** Below this share of the rate without it, the log costs too much. */
const least = 0.95;

await using postgres = await startPostgres();
const databaseUrl = await postgres.database('plinth');
const settings = {
  FILES_FOLDER: join(postgres.folder, 'files'),
  SECRET_KEY: randomBytes(32).toString('base64'),
};
await using without = await startNode(databaseUrl, 4483, {
  settings: { ...settings, REQUEST_LOG_DAYS: '0' },
});
await using logging = await startNode(databaseUrl, 4484, { settings });
const { apiKey, idsFile } = await fill(logging.url, databaseUrl, postgres.folder, 5000);
const projectsFile = join(postgres.folder, 'projects');
await writeFile(projectsFile, (await makeProjects(Number(options.projects))).join('\n'));

/** Projects with a document each: the key and the id. */
async function makeProjects(count: number): Promise<string[]> {
  const pool = createPool(databaseUrl, { size: 8, statementTimeoutMs: 600_000 }, console);
  const control = new ControlDb(pool);
  const ids = idsOf(count, 1);
  const made = await Promise.all(
    ids.map(async (id, n) => {
      const { project, apiKey } = await createProject(control, { name: `bench ${n}`, tier: 'enterprise' });
      await call(`${logging.url}/collections`, apiKey, 'POST', { name: 'articles' });
      return { apiKey, document: { projectId: project.id, collection: 1, id, data: articleOf(n) } };
    }),
  );
  await loadDocuments(
    pool,
    made.map(({ document }) => document),
  );
  await pool.end();
  return made.map(({ apiKey, document }) => `${apiKey} ${document.id}`);
}

const works = [
  {
    name: 'point reads of one project',
    script: scriptOf({
      request: 'return get("/collections/articles/" .. any(ids))',
      idsFile,
      headers: { 'X-API-Key': apiKey },
    }),
  },
  {
    name: `point reads of ${options.projects} projects`,
    script: scriptOf({
      request: `local key, id = any(ids):match("(%S+) (%S+)")
        return wrk.format("GET", "/collections/articles/" .. id, { ["X-API-Key"] = key })`,
      idsFile: projectsFile,
      headers: {},
    }),
  },
];

for (const { name, script } of works) {
  const rounds = await inTurns([without, logging], Number(options.rounds), (node) =>
    takeTurn(node, postgres.folder, { connections: 64, seconds, script }),
  );
  const { ratio, describeCost } = compare(rounds, 1);
  process.stdout.write(
    `${name.padEnd(40)} ${ratio.toFixed(3)} of the rate without the log   a call: ${describeCost('service')}, ${describeCost('database')}\n`,
  );
  if (ratio < least) process.exitCode = 1;
}
