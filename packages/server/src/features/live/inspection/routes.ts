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
    description: 'The connection, as its `ready` has named it.',
    examples: ['b5f3a4c2-6d1e-4f7a-9c0b-2e8d7a6f5c4b'],
  }),
  user: Type.Union([Type.String(), Type.Null()], {
    description: 'The app user behind it; null for a server and for nobody.',
    examples: [null],
  }),
  credential: Type.Union(
    (['none', 'user', 'apiKey', 'account'] as const).map((name) => Type.Literal(name)),
    { description: 'What it was opened with. `account`: in the dashboard.', examples: ['apiKey'] },
  ),
  transport: Type.Union([Type.Literal('websocket'), Type.Literal('sse')], {
    description: 'How it is connected.',
    examples: ['websocket'],
  }),
  connectedAt: Type.String({ format: 'date-time', description: 'Since when it is there.' }),
  subscriptionCount: Type.Integer({ description: 'How many subscriptions it has.', examples: [1] }),
  subscriptions: Type.Array(
    Type.Object({
      collection: Type.String({ description: 'The collection that is followed.', examples: ['notes'] }),
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
      '`all`: every node has told what it has. `some`: one has not answered in time. `process`: without Redis, a process knows of its own connections alone.',
    examples: ['all'],
  }),
  nodes: Type.Integer({ description: 'How many nodes have told what they have.', examples: [2] }),
};

const query = [
  {
    name: 'limit',
    schema: Type.Integer({ description: 'The most that a page has: 50, at most 100.' }),
  },
  {
    name: 'offset',
    schema: Type.Integer({ description: 'How many to skip; the first 1,000 can be looked at.' }),
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
      summary: 'See which rooms there are just now',
      description:
        'Rooms with somebody in them, on all nodes, and how many connections are in each; the fullest first. `seen` says whether all nodes have answered.',
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
      summary: 'See who is connected just now, and what is followed',
      description:
        'Live connections on all nodes, the latest first, each with its subscriptions and rooms. `seen` says whether all nodes have answered.',
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
