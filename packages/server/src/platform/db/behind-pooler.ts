import { callbackify } from 'node:util';
import { Client, type PoolClient } from 'pg';
import { guarded } from '../guarded.ts';

/** What a pooler in transaction mode does not do for its clients, so that it is done on this side. */
export interface PoolerOptions {
  readonly connectionString: string;
  readonly statementTimeoutMs: number;
  /** It keeps prepared statements apart for its clients: PgBouncer from 1.21 on. */
  readonly keepsStatements: boolean;
}

type Query = (statement: unknown, values?: unknown) => Promise<unknown>;
type Callback = (error: unknown, result?: unknown) => void;

/** How long PostgreSQL may take to hear that a statement is to be ended. */
const longestCancelMs = 1000;

/**
 * Makes a connection fit for a pooler that gives every transaction another connection to PostgreSQL. Settings of a
 * session would be left behind for whoever comes next, so nothing is set: a statement past its time is cancelled from
 * here, and PostgreSQL answers as it does when its own limit has passed. Statements lose their names, because the
 * connection that knows them may not come again.
 */
export function adaptToPooler(client: PoolClient, options: PoolerOptions): void {
  const send = client.query.bind(client) as Query;
  const query = (statement: unknown, ...given: unknown[]): unknown => {
    const callback = given.findLast((one): one is Callback => typeof one === 'function');
    const [values] = given.filter((one) => one !== callback);
    const answer = () => withinTime(client, options, () => send(nameless(statement, options), values));
    if (!callback) return answer();
    callbackify(answer)(callback);
  };
  client.query = query as typeof client.query;
}

function nameless(statement: unknown, { keepsStatements }: PoolerOptions): unknown {
  if (keepsStatements || typeof statement !== 'object' || statement === null) return statement;
  return { ...statement, name: undefined };
}

async function withinTime<Result>(
  client: PoolClient,
  options: PoolerOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  let cancelled: Promise<void> | undefined;
  const cancel = () => {
    cancelled = cancelStatement(client, options.connectionString);
  };
  const timer = setTimeout(
    guarded(() => {}, cancel),
    options.statementTimeoutMs,
  );
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    // Word that is still on its way would end the next statement of this connection.
    await cancelled;
  }
}

/** What the driver has and its types leave out. */
interface Wire {
  connect(portOrSocket: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  on(event: string, then: () => void): void;
  readonly stream: { destroy(): void };
}
type Known = PoolClient & { readonly processID: number; readonly secretKey: number };

/** Asks for the end of the statement that runs. Whether that came in time shows in the statement's own answer. */
async function cancelStatement(client: PoolClient, connectionString: string): Promise<void> {
  const { host, port, processID, secretKey } = client as Known;
  // It never signs in: it only knows how to encrypt.
  const messenger = new Client({ connectionString });
  const wire = messenger.connection as unknown as Wire;
  const { promise, resolve: settle } = Promise.withResolvers<void>();
  const over = () => settle();
  const timer = setTimeout(guarded(over, over), longestCancelMs);
  const say = () => wire.cancel(processID, secretKey);
  wire.on(
    'connect',
    guarded(over, () => (messenger.ssl ? wire.requestSsl() : say())),
  );
  wire.on('sslconnect', guarded(over, say));
  wire.on('error', guarded(over, over));
  wire.on('end', guarded(over, over));
  if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
  else wire.connect(port, host);
  await promise;
  clearTimeout(timer);
  wire.stream.destroy();
}
