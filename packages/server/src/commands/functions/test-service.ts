import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DevOptions } from '../../node/dev-options.ts';
import { createNode } from '../../node/node.ts';
import type { Config } from '../../platform/config/config.ts';
import { makeThrowawayDatabase } from '../../platform/db/throwaway-database.ts';
import { developmentBinaries } from '../dev-postgres.ts';
import { firstProject } from '../dev-project.ts';
import { devConfig, openDatabase } from '../dev-service.ts';
import { migrateAll } from '../migrate.ts';

/** A service for as long as tests take. */
interface TestService {
  readonly config: Config;
  readonly projectRef: string;
  readonly apiKey: string;
  /** The address of the project. */
  readonly url: string;
  stop(): Promise<void>;
}

interface TestWish {
  /** A server in which the tests get a database of their own; otherwise a PostgreSQL is started. */
  readonly databaseUrl?: string | undefined;
  readonly onRun: NonNullable<DevOptions['onRun']>;
}

/** No test meets a limit by chance, nor is told between its lines that the machine was slow. */
const generous = {
  SLOW_CALL_MS: '0',
  DEFAULT_TIER: 'enterprise',
  ADDRESS_RATE_LIMIT: '1000000',
  AUTH_ADDRESS_LIMIT: '1000000',
  AUTH_ACCOUNT_LIMIT: '1000000',
};

/** Starts what `plinth dev` starts, with a project of its own. Nothing of it is left when it has stopped. */
export async function startTestService(
  environment: NodeJS.ProcessEnv,
  { databaseUrl, onRun }: TestWish,
): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'plinth-test-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    const place = { folder, host: '127.0.0.1', port: '0' };
    const config = await devConfig({ ...generous, ...environment }, place, await open());
    await migrateAll(config);
    const { project } = await firstProject(config, folder);
    const node = await createNode(
      { ...config, ROOT_PROJECT: project.projectRef },
      { mailFolder: join(folder, 'mail'), apiKey: project.apiKey, onRefusedOrigin: () => {}, onRun },
    );
    undo.push(() => node.stop());
    const address = await node.start();
    return { config, ...project, url: `${address}/p/${project.projectRef}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }

  async function open(): Promise<string> {
    if (databaseUrl !== undefined) {
      const database = await makeThrowawayDatabase(databaseUrl);
      undo.push(() => database.drop());
      return database.url;
    }
    const database = await openDatabase({ folder }, await developmentBinaries(environment));
    undo.push(() => database.stop());
    return database.url();
  }
}
