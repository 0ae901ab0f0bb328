import type { ClientMessage, ServerMessage } from '@plinth/protocol';
import { type TProperties, type TSchema, Type } from 'typebox';

const documentId = '019a8c5e-7f00-8000-8123-4a5b6c7d8e9f';
const id = Type.String({ description: 'Of the subscription.', examples: ['all'] });
const room = Type.String({ examples: ['lobby'] });
const cursor = Type.String({ description: 'Send it as `since` to go on from here.', examples: ['b3Jh…'] });
const document = Type.Object({ id: Type.String() }, { additionalProperties: true });
const member = Type.Object({
  connection: Type.String({ examples: ['c1'] }),
  user: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
  state: Type.Optional(Type.Unknown({ description: 'What it said of itself.', examples: [] })),
});
const members = Type.Array(member);

const message = (type: ServerMessage['type'], description: string, properties: TProperties): TSchema =>
  Type.Object({ type: Type.Literal(type), ...properties }, { title: type, description });

/** What the server sends, for the documentation: one for each type there is. */
const serverMessages: Readonly<Record<ServerMessage['type'], TSchema>> = {
  event: message('event', 'A change that was committed.', {
    id,
    collection: Type.String({ examples: ['posts'] }),
    event: Type.Union([Type.Literal('created'), Type.Literal('updated'), Type.Literal('deleted')], {
      description: 'What no longer matches arrives as `deleted` too.',
    }),
    document: Type.Unsafe({
      ...document,
      description: 'As it is now; of what was deleted, its id alone.',
      examples: [{ id: documentId, title: 'Hello' }],
    }),
    cursor,
  }),
  ready: message('ready', 'You are let in.', {
    connection: Type.String({ description: 'Names the connection in rooms.' }),
    user: Type.Union([Type.String(), Type.Null()], { description: 'Null for a server and for nobody.' }),
  }),
  subscribed: message('subscribed', 'The subscription has begun.', {
    id,
    number: Type.Integer({
      description: 'Of the collection: ids that a client makes itself carry it.',
      examples: [1],
    }),
    cursor,
  }),
  snapshot: message('snapshot', 'What is there.', {
    id,
    documents: Type.Array(document),
    cursor,
    more: Type.Optional(Type.Literal(true, { description: 'Another one follows.', examples: [] })),
  }),
  position: message('position', 'Nothing was missed until here.', { id, cursor }),
  resync: message('resync', 'What you have may be wrong: read again.', { id, cursor }),
  joined: message('joined', 'You are in the room.', { room, members }),
  message: message('message', 'Somebody said something.', { room, from: member, message: Type.Unknown() }),
  presence: message('presence', 'Who is in the room now.', { room, members }),
  error: message('error', 'Something was refused, or a subscription has ended.', {
    code: Type.String(),
    message: Type.String(),
    id: Type.Optional(id),
    room: Type.Optional(Type.String({ description: 'The room that it is about.', examples: [] })),
  }),
  pong: message('pong', 'The answer to `ping`.', {}),
};

export const serverMessageSchema = Type.Union(Object.values(serverMessages), { $id: 'RealtimeMessage' });

const sent: Readonly<Record<ClientMessage['type'], readonly [example: string, meaning: string]>> = {
  auth: ['{"type": "auth", "token": "…"}', 'who you are, or a fresh token'],
  subscribe: [
    '{"type": "subscribe", "id": "all", "collection": "posts", "filter": "status=published", "snapshot": true}',
    'hear of changes. `id` is yours to choose. Optional: `filter`, the query string of a list; `since`, a cursor; `snapshot`, what is there first',
  ],
  unsubscribe: ['{"type": "unsubscribe", "id": "all"}', 'no longer'],
  join: ['{"type": "join", "room": "lobby"}', 'enter a room'],
  leave: ['{"type": "leave", "room": "lobby"}', 'leave it'],
  broadcast: ['{"type": "broadcast", "room": "lobby", "message": "Hi"}', 'say something to all in it'],
  presence: ['{"type": "presence", "room": "lobby", "state": {"typing": true}}', 'what others see of you'],
  ping: ['{"type": "ping"}', 'are you there?'],
};

const rows = Object.values(sent).map(([example, meaning]) => `| \`${example}\` | ${meaning} |`);

/** What a client sends, as a table. */
export const clientMessages = ['| you send | meaning |', '| --- | --- |', ...rows].join('\n');

const received = Object.entries(serverMessages).map(([type, schema]) => {
  const { description }: TSchema & { readonly description?: string } = schema;
  return `| \`${type}\` | ${description} |`;
});

/** What comes back, as a table. */
export const messagesBack = ['| you get | meaning |', '| --- | --- |', ...received].join('\n');
