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
    description: 'Where events are sent: https, at a public address.',
    examples: ['https://example.com/hooks'],
  }),
  events: Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 100,
    description:
      'What it is told: a collection and `create`, `update`, `delete` or `*`; `*.create` for every collection; `users.register`, `users.login`.',
    examples: [['orders.create', 'users.register']],
  }),
  filter: Type.Optional(
    Type.Union([Type.String({ maxLength: 2000 }), Type.Null()], {
      description: 'Which documents, in the language of filters; null: all of them.',
      examples: ['status=paid&total__gte=100'],
    }),
  ),
  description: Type.Optional(
    Type.String({ maxLength: 200, description: 'What it is for.', examples: ['Tells the warehouse'] }),
  ),
  ordered: Type.Optional(
    Type.Boolean({ description: 'One at a time, in order; one that fails holds up the others.' }),
  ),
};

export const newWebhookBody = Type.Object(wish, strict);
export const changeBody = Type.Partial(
  Type.Object({
    ...wish,
    enabled: Type.Boolean({
      description:
        'False: it is told nothing. True: what has waited is sent, and its failures are forgotten.',
    }),
  }),
  strict,
);

const webhook = {
  id: Type.String({ description: 'The webhook.' }),
  url: wish.url,
  description: Type.String({ description: 'What it is for.' }),
  events: wish.events,
  filter: orNull(Type.String(), 'Which documents; null: all of them.'),
  ordered: Type.Boolean({ description: 'Whether it is told one at a time, in order.' }),
  enabled: Type.Boolean({ description: 'Whether it is told anything.' }),
  disabledAt: orNull(moment('When it was disabled.'), 'When it was disabled.'),
  disabledReason: orNull(
    Type.String(),
    '`paused` by the team, `gone` (it answered 410), `failing` for five days, or `too_many_waiting`.',
  ),
  catchingUp: Type.Boolean({ description: 'Whether writers are kept waiting because so much waits for it.' }),
  health: loggedHealthSchema,
  createdAt: moment('When it was made.'),
  updatedAt: moment('When it was changed.'),
};
export const webhookAnswer = Type.Object(webhook);
export const newWebhookAnswer = Type.Object({
  ...webhook,
  secret: Type.String({ description: 'It is shown here and never again.', examples: ['whsec_…'] }),
});
export const secretAnswer = Type.Object({
  secret: Type.String({
    description: 'The new secret, shown here and never again. The one before is good for a day.',
    examples: ['whsec_…'],
  }),
});

export const testAnswer = Type.Object({
  id: Type.String({ description: 'The `webhook-id` that was sent.' }),
  delivered: Type.Boolean({ description: 'Whether the receiver took it.' }),
  ms: Type.Integer({ description: 'How long it took.', examples: [120] }),
  status: orNull(Type.Integer(), 'What it answered with; null: it did not answer.'),
  response: orNull(Type.String(), 'The first 64 KB of its answer.'),
  error: orNull(Type.String(), 'Why it is not delivered.'),
});

export const nothing = Type.Null({ description: 'Nothing more to say.' });
