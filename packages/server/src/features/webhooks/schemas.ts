import { Type } from 'typebox';
import { deliveryId, loggedHealthSchema } from '../deliveries/index.ts';

const strict = { additionalProperties: false } as const;

const ref = Type.String({
  pattern: '^[a-z0-9]{12}$',
  description: 'The ref of the project.',
  examples: ['abcdefghijkl'],
});
const id = Type.String({ format: 'uuid', description: 'The id of the webhook.' });
export const projectParams = Type.Object({ ref });
export const webhookParams = Type.Object({ ref, id });
export const deliveryParams = Type.Object({ ref, id, delivery: deliveryId });

const moment = (description: string) => Type.String({ format: 'date-time', description });
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(
  schema: Schema,
  description: string,
) => Type.Union([schema, Type.Null()], { description, examples: [null] });

const wish = {
  url: Type.String({
    minLength: 8,
    maxLength: 2048,
    description: 'Where events are sent: an https URL with a public address.',
    examples: ['https://example.com/hooks'],
  }),
  events: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 100,
    description:
      'The events to send: a collection and `create`, `update`, `delete` or `*`; `*.create` for every collection; `users.register`, `users.login`.',
    examples: [['orders.create', 'users.register']],
  }),
  filter: Type.Optional(
    Type.Union([Type.String({ maxLength: 2000 }), Type.Null()], {
      description: 'A filter: only events of matching documents are sent; null: all documents.',
      examples: ['status=paid&total__gte=100'],
    }),
  ),
  description: Type.Optional(
    Type.String({ maxLength: 200, description: 'What it is for.', examples: ['Tells the warehouse'] }),
  ),
  ordered: Type.Optional(
    Type.Boolean({
      description: 'Send one event at a time, in order; an event that fails holds up those after it.',
    }),
  ),
};

export const newWebhookBody = Type.Object(wish, strict);
export const changeBody = Type.Partial(
  Type.Object({
    ...wish,
    enabled: Type.Boolean({
      description:
        'False: no events are sent. True: waiting events are sent, and earlier failures are forgotten.',
    }),
  }),
  strict,
);

const webhook = {
  id: Type.String({ description: 'The webhook.' }),
  url: wish.url,
  description: Type.String({ description: 'What it is for.' }),
  events: wish.events,
  filter: orNull(
    Type.String(),
    'Only events of documents that match this filter are sent; null: all documents.',
  ),
  ordered: Type.Boolean({ description: 'Whether events are sent one at a time, in order.' }),
  enabled: Type.Boolean({ description: 'Whether events are sent.' }),
  disabledAt: orNull(moment('When it was disabled.'), 'When it was disabled.'),
  disabledReason: orNull(
    Type.String(),
    '`paused` by the team, `gone` (it returned 410), `failing` for five days, or `too_many_waiting`.',
  ),
  catchingUp: Type.Boolean({
    description:
      'Whether writes that add events fail with 429 `too_many_deliveries`, because too many are waiting for it.',
  }),
  health: loggedHealthSchema,
  createdAt: moment('When it was created.'),
  updatedAt: moment('When it was last changed.'),
};
export const webhookAnswer = Type.Object(webhook);
export const newWebhookAnswer = Type.Object({
  ...webhook,
  secret: Type.String({ description: 'Only shown once.', examples: ['whsec_…'] }),
});
export const secretAnswer = Type.Object({
  secret: Type.String({
    description: 'The new secret, only shown once. The previous one stays valid for a day.',
    examples: ['whsec_…'],
  }),
});

export const testAnswer = Type.Object({
  id: Type.String({ description: 'The `webhook-id` header that was sent.' }),
  delivered: Type.Boolean({ description: 'Whether the receiver accepted it.' }),
  ms: Type.Integer({ description: 'How long it took.', examples: [120] }),
  status: orNull(Type.Integer(), 'The status of the response; null: there was none.'),
  response: orNull(Type.String(), 'The first 64 KB of the response.'),
  error: orNull(Type.String(), 'Why it was not delivered.'),
});

export const nothing = Type.Null({ description: 'Always null.' });
