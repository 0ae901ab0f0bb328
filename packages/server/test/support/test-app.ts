import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool, QueryResultRow } from 'pg';
import { pino } from 'pino';
import { createProject, registerCells } from '../../src/features/control/projects/index.ts';
import { createNode, type Node } from '../../src/node/node.ts';
import { type Config, parseCells, parseConfig } from '../../src/platform/config/config.ts';
import { Cells } from '../../src/platform/db/cells.ts';
import { ControlDb } from '../../src/platform/db/control-db.ts';
import type { Sql } from '../../src/platform/db/sql.ts';
import { Client } from './client.ts';
import { testDatabases } from './test-databases.ts';
import { type Members, useFixture } from './use-fixture.ts';

interface TestProject {
  readonly ref: string;
  readonly apiKey: string;
  readonly cell: number;
  /** Calls with the API key. */
  readonly api: Client;
}

export interface TestApp extends AsyncDisposable {
  readonly app: Node;
  readonly config: Config;
  readonly url: string;
  /** Calls with no credential. */
  readonly anonymous: Client;
  /** Calls with the first project's API key. */
  readonly api: Client;
  /** What operators see of the node. */
  readonly admin: Client;
  /** Two projects, in different cells. */
  readonly projects: readonly [TestProject, TestProject];
  readonly control: ControlDb;
  readonly cells: Cells;
  /** Another node on the same databases. */
  node(overrides?: Record<string, string>): Promise<{ app: Node; url: string; adminUrl: string }>;
  createProject(name?: string): Promise<TestProject>;
}

/** A node on databases of its own, listening on the loopback interface. */
export async function testApp(overrides: Record<string, string> = {}): Promise<TestApp> {
  const databases = await testDatabases();
  const filesFolder = await mkdtemp(join(tmpdir(), 'plinth-files-'));
  const config = parseConfig({
    ...(overrides.S3_BUCKET === undefined && { FILES_FOLDER: filesFolder }),
    DATABASE_URL: databases.first,
    CELL_DATABASE_URLS: `2=${databases.second}`,
    SECRET_KEY: 'a-secret-for-tests,-long-enough-to-be-one',
    HOST: '127.0.0.1',
    PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'fatal',
    DATABASE_CONNECT_TIMEOUT_MS: '60000',
    // A busy machine may take seconds for what is done at once elsewhere.
    QUERY_TIMEOUT_MS: '60000',
    STATEMENT_TIMEOUT_MS: '60000',
    SHUTDOWN_DELAY_MS: '0',
    ADDRESS_RATE_LIMIT: '1000000',
    FILE_ADDRESS_LIMIT: '1000000',
    AUTH_ADDRESS_LIMIT: '1000000',
    AUTH_ACCOUNT_LIMIT: '1000000',
    ...overrides,
  });
  const cells = new Cells(
    parseCells(config),
    { size: 4, statementTimeoutMs: 60_000, connectTimeoutMs: 60_000 },
    pino({ level: 'fatal' }),
  );
  const nodes: Node[] = [];
  const control = new HeardControlDb(cells.pool(1), nodes);
  await registerCells(control, [1, 2]);
  const node = async (more: Record<string, string> = {}) => {
    const app = await createNode(parseConfig({ ...stringValues(config), ...more }));
    nodes.push(app);
    const url = await app.start();
    return { app, url, adminUrl: app.adminUrl ?? '' };
  };
  const { app, url, adminUrl } = await node();
  const newProject = async (name = 'test') => {
    const { project, apiKey } = await createProject(control, { name, tier: 'enterprise' });
    const api = new Client(url, { 'x-api-key': apiKey });
    return { ref: project.ref, apiKey, cell: project.cell, api };
  };
  const projects = [await newProject(), await newProject()] as const;
  const opened: TestApp = {
    app,
    config,
    url,
    anonymous: new Client(url),
    api: projects[0].api,
    admin: new Client(adminUrl),
    projects,
    control,
    cells,
    node,
    createProject: newProject,
    async [Symbol.asyncDispose]() {
      await Promise.all(nodes.map((node) => node.stop()));
      await Promise.all(cells.numbers.map((number) => dropSlots(cells.pool(number))));
      await cells.close();
      await databases[Symbol.asyncDispose]();
      await rm(filesFolder, { recursive: true, force: true });
      // The test runner keeps what the hooks of a file can reach until all files have run.
      nodes.length = 0;
      for (const member of Reflect.ownKeys(opened)) Reflect.deleteProperty(opened, member);
    },
  };
  return opened;
}

export const testAppMembers: Members<TestApp> = {
  app: true,
  config: true,
  url: true,
  anonymous: true,
  api: true,
  admin: true,
  projects: true,
  control: true,
  cells: true,
  node: true,
  createProject: true,
  [Symbol.asyncDispose]: true,
};

/** A node for the tests of a file or a `describe`: opened before them, closed after them. */
export const useTestApp = (overrides?: Record<string, string>): TestApp =>
  useFixture(testAppMembers, () => testApp(overrides));

/** A server has only so many slots, and its log would be kept for those that nobody reads. */
async function dropSlots(pool: Pool): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const { rows } = await pool.query<{ active: boolean }>(
      `SELECT active, CASE WHEN NOT active THEN pg_drop_replication_slot(slot_name) END
      FROM pg_replication_slots WHERE database = current_database()`,
    );
    if (!rows.some(({ active }) => active)) return;
    await sleep(20);
  }
}

/** A node that has lost its line to the database must first have it again. */
async function untilHeard(node: Node): Promise<void> {
  for (let tries = 0; tries < 150 && !(await node.caughtUp()); tries += 1) await sleep(20);
}

/** Changes of projects that the nodes have heard of when they return: a test does not race with the news. */
class HeardControlDb extends ControlDb {
  readonly #nodes: readonly Node[];

  constructor(pool: Pool, nodes: readonly Node[]) {
    super(pool);
    this.#nodes = nodes;
  }

  override async query<Row extends QueryResultRow>(statement: Sql, name?: string): Promise<Row[]> {
    const rows = await super.query<Row>(statement, name);
    await this.#heard();
    return rows;
  }

  override async transaction<Result>(work: (control: ControlDb) => Promise<Result>): Promise<Result> {
    const result = await super.transaction(work);
    await this.#heard();
    return result;
  }

  async #heard(): Promise<void> {
    await Promise.all(this.#nodes.map(untilHeard));
  }
}

function stringValues(config: Config): Record<string, string> {
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, String(value)]));
}
