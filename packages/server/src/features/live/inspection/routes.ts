import { Type } from 'typebox';
import { ok, type ProjectRoutes } from '../../../calls/index.ts';
import { lookAtConnections, lookAtRooms } from './look.ts';
import type { Survey } from './survey.ts';

const room = Type.Object({
  room: Type.String({ description: 'The name of the room.', examples: ['chat-tea'] }),
  members: Type.Integer({ description: 'How many connections are in it.', examples: [3] }),
});

const connection = Type.Object({
  id: Type.String({
    description: 'The id of the connection, as in its `ready` message.',
    examples: ['b5f3a4c2-6d1e-4f7a-9c0b-2e8d7a6f5c4b'],
  }),
  user: Type.Union([Type.String(), Type.Null()], {
    description: 'The id of its app user; null for a server, or if not signed in.',
    examples: [null],
  }),
  credential: Type.Union(
    (['none', 'user', 'apiKey', 'account'] as const).map((name) => Type.Literal(name)),
    {
      description: 'The credential it was opened with. `account`: from the dashboard.',
      examples: ['apiKey'],
    },
  ),
  transport: Type.Union([Type.Literal('websocket'), Type.Literal('sse')], {
    description: 'How it is connected.',
    examples: ['websocket'],
  }),
  connectedAt: Type.String({ format: 'date-time', description: 'When it was opened.' }),
  subscriptionCount: Type.Integer({ description: 'How many subscriptions it has.', examples: [1] }),
  subscriptions: Type.Array(
    Type.Object({
      collection: Type.String({ description: 'The collection it is subscribed to.', examples: ['notes'] }),
      filter: Type.String({
        description: 'The filter; its first 200 characters.',
        examples: ['state=open'],
      }),
    }),
    { description: 'The first ten of them.' },
  ),
  roomCount: Type.Integer({ description: 'How many rooms it is in.', examples: [1] }),
  rooms: Type.Array(Type.String(), { description: 'The first ten of them.', examples: [['chat-tea']] }),
});

const beside = {
  seen: Type.Union([Type.Literal('all'), Type.Literal('some'), Type.Literal('process')], {
    description:
      '`all`: every node has responded. `some`: a node has not responded in time. `process`: without Redis, a process only knows its own connections.',
    examples: ['all'],
  }),
  nodes: Type.Integer({ description: 'The number of nodes that have responded.', examples: [2] }),
};

const query = [
  {
    name: 'limit',
    schema: Type.Integer({
      description: 'The maximum number of entries per page: 50 by default, at most 100.',
    }),
  },
  {
    name: 'offset',
    schema: Type.Integer({
      description: 'The number of entries to skip; only the first 1,000 can be listed.',
    }),
  },
];

const shared = { method: 'GET', access: 'server', tag: 'Realtime', query } as const;

export function addInspectionRoutes(routes: ProjectRoutes, survey: Pick<Survey, 'ask'>): void {
  routes.add(
    {
      ...shared,
      url: '/realtime/rooms',
      scope: 'realtime',
      operationId: 'listRooms',
      summary: 'List the current rooms',
      description:
        'Rooms with at least one member, on all nodes, with the number of connections in each; the fullest first. `seen` says whether all nodes have responded.',
      answers: { status: 200, data: Type.Array(room), beside, list: true },
    },
    async (context, { queryString }) => answerOf(await lookAtRooms(survey, context, queryString)),
  );
  routes.add(
    {
      ...shared,
      url: '/realtime/connections',
      // It names users.
      scope: ['realtime', 'users'],
      operationId: 'listConnections',
      summary: 'List the current connections and their subscriptions',
      description:
        'Realtime connections on all nodes, the latest first, each with its subscriptions and rooms. `seen` says whether all nodes have responded.',
      answers: { status: 200, data: Type.Array(connection), beside, list: true },
    },
    async (context, { queryString }) => answerOf(await lookAtConnections(survey, context, queryString)),
  );
}

function answerOf({
  entries,
  page,
  seen,
  nodes,
}: Awaited<ReturnType<typeof lookAtRooms>> | Awaited<ReturnType<typeof lookAtConnections>>) {
  return { ...ok(entries), beside: { seen: JSON.stringify(seen), nodes: String(nodes) }, page };
}
