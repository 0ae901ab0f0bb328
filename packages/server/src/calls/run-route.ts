import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { andThen, type NowOrLater } from '../platform/concurrency/now-or-later.ts';
import type { Answer } from './answer.ts';
import type { RequestContext } from './context.ts';
import { type OnceDeps, runOnce, runTogether, wasAnswered } from './idempotency/run-once.ts';
import { takeHeaders } from './request-headers.ts';
import { queryStringOf } from './route-input.ts';
import { canRepeat, type FilledForm, type Handler, type ProjectRoute, type RouteInput } from './routes.ts';
import { withNews } from './with-news.ts';
import { AskAgain, type CallGuards, type WriteGuards } from './write-guards.ts';

/** How often the code of a project is asked about what changes while it thinks. */
const mostAsked = 3;

export interface RunDeps extends OnceDeps {
  /** Resolves when this node has heard what has changed in a cell. */
  readonly caughtUp: (cell: number) => Promise<unknown>;
  /** Knows which code of the project is asked before what. */
  readonly guards: WriteGuards;
}

interface RouteWithHandler<
  Params extends TSchema,
  Body extends TSchema,
  Form extends FilledForm,
  Prepared,
  Guarded,
> {
  readonly route: ProjectRoute<Params, Body, Form, Prepared, Guarded>;
  readonly handle: Handler<Params, Body, Form, Prepared, Guarded>;
}

/** Answers a call: prepares it, asks the code of the project, and lets the handler do the work, once for each key. */
export function runRoute<
  Params extends TSchema,
  Body extends TSchema,
  Form extends FilledForm,
  Prepared,
  Guarded,
>(
  deps: RunDeps,
  context: RequestContext,
  request: FastifyRequest,
  { route, handle }: RouteWithHandler<Params, Body, Form, Prepared, Guarded>,
): NowOrLater<Answer> {
  const given = inputOf<Params, Body, Form>(request, route.headers);
  let preparing: NowOrLater<RouteInput<Params, Body, Form, Prepared, undefined>> | undefined;
  const prepared = () => {
    preparing ??= prepare(route, context, given);
    return preparing;
  };
  const { guard } = route;
  return andThen(guard && deps.guards.forCall(context), (guards) => {
    if (!guard || !guards)
      return answer(deps, context, request, { route, handle, prepared, ready: prepared });
    const ready = async () => {
      const input = await prepared();
      return { ...input, guarded: await withNews(deps, context, () => guard(context, input, guards)) };
    };
    return askedAgain(() => answer(deps, context, request, { route, handle, prepared, ready, guards }));
  });
}

/** Does the work anew where what the code of the project was asked about has changed meanwhile. */
async function askedAgain(work: () => NowOrLater<Answer>): Promise<Answer> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AskAgain)) throw error;
      if (asked === mostAsked) throw error.otherwise;
    }
  }
}

/** What was sent, typed by the schemas that Fastify has checked it with. */
function inputOf<Params extends TSchema, Body extends TSchema, Form extends FilledForm>(
  request: FastifyRequest,
  taken: ProjectRoute['headers'],
): RouteInput<Params, Body, Form, undefined, undefined> {
  const { params, body, form } = request;
  const headers = takeHeaders(taken, request.headers);
  const queryString = queryStringOf(request);
  const none = { prepared: undefined, guarded: undefined };
  const input = { params, body, ...(form && { form }), ...none, queryString, headers };
  return input as RouteInput<Params, Body, Form, undefined, undefined>;
}

function prepare<Params extends TSchema, Body extends TSchema, Form extends FilledForm, Prepared, Guarded>(
  route: ProjectRoute<Params, Body, Form, Prepared, Guarded>,
  context: RequestContext,
  given: RouteInput<Params, Body, Form, undefined, undefined>,
): NowOrLater<RouteInput<Params, Body, Form, Prepared, undefined>> {
  // Without `prepare` the type is undefined.
  return andThen(route.prepare?.(context, given) as NowOrLater<Prepared>, (prepared) => ({
    ...given,
    prepared,
  }));
}

interface Steps<Params extends TSchema, Body extends TSchema, Form extends FilledForm, Prepared, Guarded>
  extends RouteWithHandler<Params, Body, Form, Prepared, Guarded> {
  readonly prepared: () => NowOrLater<RouteInput<Params, Body, Form, Prepared, undefined>>;
  /** The same, once the code of the project was asked. */
  readonly ready: () => NowOrLater<RouteInput<Params, Body, Form, Prepared, Guarded>>;
  readonly guards?: CallGuards;
}

function answer<Params extends TSchema, Body extends TSchema, Form extends FilledForm, Prepared, Guarded>(
  deps: RunDeps,
  context: RequestContext,
  request: FastifyRequest,
  steps: Steps<Params, Body, Form, Prepared, Guarded>,
): NowOrLater<Answer> {
  const { route, handle, ready } = steps;
  const key = request.headers['idempotency-key'];
  if (canRepeat(route) && key !== undefined) return answerOnce(deps, context, request, steps);
  return andThen(ready(), (input) => withNews(deps, context, () => handle(context, input)));
}

async function answerOnce<
  Params extends TSchema,
  Body extends TSchema,
  Form extends FilledForm,
  Prepared,
  Guarded,
>(
  deps: RunDeps,
  context: RequestContext,
  request: FastifyRequest,
  { route, handle, prepared, ready, guards }: Steps<Params, Body, Form, Prepared, Guarded>,
): Promise<Answer> {
  const call = {
    key: String(request.headers['idempotency-key']),
    method: route.method,
    path: request.url,
    // Each call gives its files new addresses; what tells calls apart is what was sent.
    body: request.form ? request.form.digest : request.body,
    ifMatch: takeHeaders(route.headers, request.headers)['if-match'],
    replay: route.replay,
  };
  if ((guards || route.usesUp) && (await wasAnswered(context, call))) {
    // A password is checked again: what is sent with the key of somebody else must not help to guess one.
    if (!route.usesUp) await prepared();
    // Only an answer that is forgotten at this very moment is made anew.
    return withNews(deps, context, () =>
      runOnce(context, call, deps, async (context) => handle(context, await ready())),
    );
  }
  const input = await ready();
  if (route.claimsKey && !request.form) {
    const answered = await runTogether(context, call, deps, (context) => handle(context, input));
    if (answered) return answered;
  }
  return withNews(deps, context, () => runOnce(context, call, deps, (context) => handle(context, input)));
}
