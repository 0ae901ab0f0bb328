// What do indexes cost whoever changes documents? Fills collections without indexes and with one, three and six, changes a
// field that no index has and one that an index has, and compares with another checkout if one is named. See README.md.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createPool, type Pool } from '../packages/server/src/platform/db/pool.ts';
import { loadDocuments } from './bulk-load.ts';
import { call } from './http.ts';
import { median } from './percentiles.ts';
import { type Node, startNode, startPostgres } from './service.ts';
import { articleOf, idsOf } from './speed/documents.ts';
import { fill } from './speed/fill.ts';
import { inTurns, takeTurn } from './speed/in-turns.ts';
import { scriptOf } from './speed/script.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '64' },
  },
});
const [checkout] = positionals;
const documents = Number(options.documents);
const seconds = Number(options.seconds);
const counts = [0, 1, 3, 6];
const fields = ['status', 'views', 'title', 'author.city', 'featured', 'author.name'];
/** Of the rate without indexes, with three. */
const least = 0.8;

const changes = {
  'a field without an index': `'{"shares":' .. math.random(0, 9999) .. '}'`,
  'a field with an index': `'{"views":' .. math.random(0, 9999) .. '}'`,
};

interface Subject {
  readonly node: Node;
  readonly checkout: string;
  readonly indexes: number;
  readonly pool: Pool;
  readonly apiKey: string;
  readonly collection: string;
  readonly table: string;
  readonly idsFile: string;
}

interface Written {
  readonly rate: number;
  readonly database: number;
  readonly service: number;
  /** Bytes of log of a call. */
  readonly log: number;
  /** Of the updates, those that touched no index. */
  readonly hot: number;
}

await using postgres = await startPostgres();
await using stack = new AsyncDisposableStack();
const subjects: Subject[] = [];
for (const [at, folder] of [undefined, ...(checkout === undefined ? [] : [checkout])].entries())
  subjects.push(...(await subjectsOf(folder, at)));
let isMissed = false;
for (const [name, body] of Object.entries(changes)) await measureAll(name, body);
if (isMissed) process.exitCode = 1;

async function subjectsOf(checkout: string | undefined, at: number): Promise<Subject[]> {
  const databaseUrl = await postgres.database(`plinth_${at}`);
  const settings = {
    FILES_FOLDER: join(postgres.folder, `files-${at}`),
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const node = stack.use(await startNode(databaseUrl, 4483 + at, { settings, checkout }));
  const { apiKey, projectId } = await fill(node.url, databaseUrl, postgres.folder, 1);
  const pool = createPool(databaseUrl, { size: 2, statementTimeoutMs: 600_000 }, console);
  stack.defer(() => pool.end());
  const post = (path: string, body: unknown) => call(`${node.url}${path}`, apiKey, 'POST', body);
  const made: Subject[] = [];
  for (const [place, indexes] of counts.entries()) {
    const collection = `indexed-${indexes}`;
    // Two collections are there already.
    const number = place + 3;
    await post('/collections', { name: collection, settings: { autoIndex: false } });
    const ids = idsOf(documents, number);
    await loadDocuments(
      pool,
      ids.map((id, n) => ({ projectId, collection: number, id, data: articleOf(n) })),
    );
    const idsFile = join(postgres.folder, `ids-${at}-${indexes}`);
    await writeFile(idsFile, ids.join('\n'));
    for (const field of fields.slice(0, indexes))
      await post(`/collections/${collection}/indexes`, { kind: 'sort', fields: [field] });
    await untilBuilt(`${node.url}/collections/${collection}/indexes`, apiKey);
    const table = indexes === 0 ? 'cell.documents' : `own.documents_${projectId}_${number}`;
    made.push({ node, checkout: checkout ?? '', indexes, pool, apiKey, collection, table, idsFile });
  }
  await pool.query('VACUUM ANALYZE');
  return made;
}

async function untilBuilt(url: string, apiKey: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const { data } = JSON.parse(await call(url, apiKey)) as { data: { state: string }[] };
    if (data.every(({ state }) => state === 'ready')) return;
    await sleep(100);
  }
  throw new Error('The indexes were not built within two minutes.');
}

async function measureAll(name: string, body: string): Promise<void> {
  const found = new Map<Subject, Written[]>(subjects.map((subject) => [subject, []]));
  await inTurns(subjects, Number(options.rounds), async (subject) => {
    const { node, pool, apiKey, collection, idsFile } = subject;
    const script = scriptOf({
      request: `return send("PATCH", "/collections/${collection}/" .. any(ids), ${body})`,
      idsFile,
      headers: { 'X-API-Key': apiKey },
    });
    const before = await countersOf(subject, pool);
    const turn = await takeTurn(node, postgres.folder, {
      connections: Number(options.connections),
      seconds,
      script,
    });
    // PostgreSQL tells of what it has counted a moment later.
    await sleep(1200);
    const after = await countersOf(subject, pool);
    const updates = after.updates - before.updates;
    found.get(subject)!.push({
      rate: turn.rate,
      ...turn.cost,
      log: (after.log - before.log) / updates,
      hot: (after.hot - before.hot) / updates,
    });
    // Each has its turn with the room that a vacuum leaves.
    await pool.query(`VACUUM ${subject.table}`);
    return turn;
  });
  say(`\nPATCH of ${name}, ${options.connections} connections, medians of ${options.rounds} turns`);
  say(line('', ['calls/s', 'of none', 'service µs', 'database µs', 'log bytes', 'HOT']));
  for (const [subject, turns] of found) {
    // The first is there to warm up.
    const counted = turns.slice(1);
    const of = (figure: keyof Written) => median(counted.map((turn) => turn[figure]));
    const none = found.get(
      subjects.find(({ checkout, indexes }) => checkout === subject.checkout && indexes === 0)!,
    )!;
    const ratio = median(counted.map(({ rate }, at) => rate / none[at + 1]!.rate));
    const title = `${subject.indexes} indexes${subject.checkout === '' ? '' : ', the other checkout'}`;
    say(
      line(title, [
        of('rate').toFixed(0),
        ratio.toFixed(2),
        of('service').toFixed(0),
        of('database').toFixed(0),
        of('log').toFixed(0),
        `${(100 * of('hot')).toFixed(0)} %`,
      ]),
    );
    if (subject.checkout === '' && subject.indexes === 3 && name === 'a field without an index') {
      isMissed = ratio < least;
      say(`  ${isMissed ? 'missed' : 'reached'}: ${ratio.toFixed(2)} of the rate without, ${least} wanted`);
    }
  }
}

async function countersOf({ table }: Subject, pool: Pool) {
  const { rows } = await pool.query<{ updates: string; hot: string; log: string }>(
    `SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot, pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS log
     FROM pg_stat_user_tables WHERE relid = $1::regclass`,
    [table],
  );
  const [row] = rows;
  return { updates: Number(row!.updates), hot: Number(row!.hot), log: Number(row!.log) };
}

function line(title: string, columns: readonly string[]): string {
  return `  ${title.padEnd(34)}${columns.map((column) => column.padStart(13)).join('')}`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
