import { setTimeout as sleep } from 'node:timers/promises';
import { askService, type Failure, type ServiceAddress } from '../call-service.ts';
import { CommandError, type Outcome, UsageError } from '../usage.ts';
import { insideLines, type Run } from './runs.ts';

interface Call {
  readonly name: string;
  readonly method?: string | undefined;
  /** JSON. */
  readonly data?: string | undefined;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** Runs are written down twice a second. */
const logTries = 10;
const logEveryMs = 200;

/** Calls a function, and gives what it answered; what it printed is said beside it. */
export async function invokeFunction(
  address: ServiceAddress,
  { name, method: given, data }: Call,
  note: (line: string) => void,
): Promise<Outcome> {
  const method = (given ?? (data === undefined ? 'GET' : 'POST')).toUpperCase();
  if (!methods.includes(method)) throw new UsageError(`--method must be one of ${methods.join(', ')}.`);
  if (data !== undefined && (method === 'GET' || method === 'HEAD'))
    throw new UsageError(`A ${method} request cannot have --data. Remove --method, or use POST.`);
  requireJson(data);
  const [path = '', ...rest] = name.split(/(?=[/?])/);
  const response = await fetch(`${address.url}/functions/${encodeURIComponent(path)}${rest.join('')}`, {
    method,
    headers: {
      ...address.credential,
      'X-Response-Format': 'envelope',
      ...(data !== undefined && { 'Content-Type': 'application/json' }),
    },
    redirect: 'manual',
    ...(data !== undefined && { body: data }),
  }).catch((cause: unknown) => {
    throw new CommandError(`${address.url} cannot be reached. Is the service running?`, { cause });
  });
  const answer = readAnswer(await response.text());
  const run = response.headers.get('x-function-run') ?? runIn(answer.error);
  const lines = run === undefined ? [] : await linesOf(address, run);
  for (const line of lines) note(line);
  if (answer.error) throw new CommandError(`${response.status}: ${answer.error.message}`);
  if (!response.ok) note(`Returned ${response.status}.`);
  return { text: answer.text, exitCode: response.ok ? 0 : 1 };
}

function requireJson(data: string | undefined): void {
  if (data === undefined) return;
  try {
    JSON.parse(data);
  } catch (error) {
    throw new UsageError(`--data is not valid JSON: ${(error as Error).message}.`);
  }
}

/** A value comes in the envelope of the service; what a function answers by itself stays as it is. */
function readAnswer(text: string): { readonly text: string; readonly error?: Failure } {
  try {
    const read = JSON.parse(text) as { success?: unknown; data?: unknown; error?: Failure };
    if (read.success === true) return { text: JSON.stringify(read.data, undefined, 2) ?? '' };
    if (read.success === false && read.error) return { text: '', error: read.error };
  } catch {
    // No JSON, and no need to be.
  }
  return { text };
}

function runIn(error: Failure | undefined): string | undefined {
  const { run } = (error?.details ?? {}) as { run?: unknown };
  return typeof run === 'string' ? run : undefined;
}

async function linesOf(address: ServiceAddress, id: string): Promise<string[]> {
  for (let tries = 0; tries < logTries; tries += 1) {
    const { data } = await askService<Run>(address, `/function-runs/${id}`);
    if (data) return insideLines(data);
    await sleep(logEveryMs);
  }
  return [];
}
