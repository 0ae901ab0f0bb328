// oxlint-disable no-console -- here the console is the log of a call
import type { CallingUser, Context } from '../context.ts';
import type { Call, Calls } from './calls.ts';
import type { Settings } from './config.ts';
import type { openDatabase } from './database.ts';
import type { Host } from './host.ts';
import { tell } from './log.ts';
import type { Modules } from './modules.ts';

export interface ServeDeps {
  readonly calls: Calls;
  readonly settings: Settings;
  readonly modules: Modules;
  readonly host: Host;
  readonly database: ReturnType<typeof openDatabase>;
}

const own = 'x-plinth-';

/** Answers the supervisor: calls of functions, events for hooks, and what it has to say itself. */
export function createHandler(deps: ServeDeps): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/call') return answerCall(deps, request);
    if (pathname === '/event') return answerEvent(deps, request);
    return answerSupervisor(deps, pathname, request);
  };
}

async function answerSupervisor(
  { calls, settings, modules }: ServeDeps,
  path: string,
  request: Request,
): Promise<Response> {
  switch (path) {
    case '/ping':
      break;
    case '/config':
      settings.set((await request.json()) as Record<string, unknown>);
      break;
    case '/abort':
      calls.abort(await request.text());
      break;
    case '/describe': {
      const { files } = (await request.json()) as { files: string[] };
      const found = [];
      for (const file of files)
        found.push(await modules.describe(file).catch((error: unknown) => ({ file, error: wordsOf(error) })));
      return Response.json(found);
    }
    default:
      return new Response(null, { status: 404 });
  }
  return new Response(null, { status: 204 });
}

async function answerCall(deps: ServeDeps, request: Request): Promise<Response> {
  const { id, file, user } = readHead(request);
  const url = request.headers.get('x-plinth-url') ?? '';
  const headers = new Headers();
  for (const [name, value] of request.headers) if (!name.startsWith(own)) headers.append(name, value);
  return inCall(deps, id, async (call) => {
    const run = await deps.modules.httpFunction(file);
    const asked = new Request(url, {
      method: request.method,
      headers,
      body: request.body,
      signal: call.abort.signal,
      ...(request.body && { duplex: 'half' }),
    });
    const value = await run(asked, contextOf(deps, call, user));
    return asResponse(value, call);
  });
}

async function answerEvent(deps: ServeDeps, request: Request): Promise<Response> {
  const { id, file, user } = readHead(request);
  const event: unknown = await request.json();
  return inCall(deps, id, async (call) => {
    const { run } = await deps.modules.trigger(file);
    const value = await run(event as never, contextOf(deps, call, user) as never);
    return asResponse(value instanceof Response ? null : value, call);
  });
}

async function inCall(
  { calls }: ServeDeps,
  id: string,
  work: (call: Call) => Promise<Response>,
): Promise<Response> {
  return calls.run(
    id,
    async (call) => {
      try {
        return await work(call);
      } catch (error) {
        // The code has a copy of the class of its own.
        if (!(error instanceof Error && error.name === 'Refusal')) console.error(error);
        return failure(error);
      }
    },
    () => tell({ t: 'done', call: id }),
  );
}

function readHead({ headers }: Request) {
  const user = headers.get('x-plinth-user');
  return {
    id: headers.get('x-plinth-call') ?? '',
    file: headers.get('x-plinth-file') ?? '',
    user: user === null ? null : (JSON.parse(decodeURIComponent(user)) as CallingUser),
  };
}

function contextOf({ settings, database, host }: ServeDeps, call: Call, user: CallingUser | null): Context {
  return {
    config: settings.config,
    db: database,
    files: database.files,
    tasks: database.tasks,
    mail: database.mail,
    user,
    log: console,
    fetch: host.fetch,
    callId: call.id,
    signal: call.abort.signal,
    waitUntil(work) {
      call.pending.push(Promise.resolve(work).catch((error: unknown) => console.error(error)));
    },
  };
}

/** A value is answered as JSON in the envelope of the service; a Response as it is. */
function asResponse(value: unknown, call: Call): Response {
  const marks = call.pending.length > 0 ? { 'x-plinth-pending': '1' } : undefined;
  if (value instanceof Response) {
    const theirs = [...value.headers.keys()].filter((name) => name.startsWith(own));
    if (!marks && theirs.length === 0) return value;
    const shown = new Response(value.body, value);
    for (const name of theirs) shown.headers.delete(name);
    if (marks) shown.headers.set('x-plinth-pending', '1');
    return shown;
  }
  return Response.json(value ?? null, { headers: { 'x-plinth-value': '1', ...marks } });
}

function wordsOf(error: unknown): { name: string; message: string; stack: string } {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  const { name, message, stack = '' } = error;
  return { name, message: message.slice(0, 2000), stack: stack.slice(0, 8000) };
}

export function failure(error: unknown): Response {
  return Response.json(wordsOf(error), { status: 500, headers: { 'x-plinth-failed': '1' } });
}
