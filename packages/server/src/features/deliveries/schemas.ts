import { Type } from 'typebox';

/*
 * What is told of the deliveries of a lane, and asked of it: alike for everything that has one.
 */

const strict = { additionalProperties: false } as const;
const moment = (description: string) => Type.String({ format: 'date-time', description });
const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(
  schema: Schema,
  description: string,
) => Type.Union([schema, Type.Null()], { description, examples: [null] });
const momentOrNull = (description: string) => orNull(moment(description), description);

export const deliveryId = Type.String({
  format: 'uuid',
  description: 'The id of the delivery, which is that of its event.',
});

const waiting = Type.Integer({ description: 'The number of waiting deliveries.', examples: [0] });
const dead = Type.Integer({ description: 'The number of dead deliveries.', examples: [0] });

export const countsSchema = Type.Object(
  { waiting, dead },
  { description: 'The number of deliveries, counted up to a thousand.' },
);

const health = {
  waiting,
  dead,
  failingSince: momentOrNull('Since when every attempt has failed; null: the last one did not fail.'),
  pausedUntil: momentOrNull(
    'Until when deliveries are paused, after ten failures in a row or because the receiver requested it with `Retry-After`.',
  ),
};
export const healthSchema = Type.Object(health, {
  description: 'The state of its deliveries; `waiting` and `dead` are counted up to a thousand.',
});
/** For what keeps a log of its attempts. */
export const loggedHealthSchema = Type.Object(
  {
    ...health,
    lastAt: momentOrNull('The time of the last attempt, within the last 7 days.'),
    lastDelivered: orNull(Type.Boolean(), 'Whether the last attempt succeeded.'),
  },
  { description: 'The state of its deliveries; `waiting` and `dead` are counted up to a thousand.' },
);

const kept = {
  id: deliveryId,
  type: Type.String({ description: 'The type of the event.', examples: ['orders.create'] }),
  status: Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('dead')], {
    description: 'The state of the delivery.',
  }),
  attempts: Type.Integer({ description: 'The number of attempts.', examples: [1] }),
  at: moment('When the event happened, or, if it was delivered, when it was delivered.'),
  dueAt: momentOrNull('The time of the next attempt.'),
  error: orNull(Type.String(), 'Why the last attempt failed.'),
};
export const deliveriesSchema = Type.Array(Type.Object(kept));

const told = {
  ...kept,
  payload: Type.Object(
    {},
    { additionalProperties: true, description: 'The payload that was sent, or will be sent.' },
  ),
};
export const deliverySchema = Type.Object(told);
/** For what keeps a log of its attempts. */
export const loggedDeliverySchema = Type.Object({
  ...told,
  tried: Type.Array(
    Type.Object(
      {
        attempt: Type.Integer({ description: 'The number of the attempt.', examples: [1] }),
        at: moment('When it ended.'),
        isDelivered: Type.Boolean({ description: 'Whether it succeeded.' }),
        ms: Type.Integer({ description: 'How long it took.', examples: [120] }),
        error: orNull(Type.String(), 'Why it failed.'),
      },
      {
        additionalProperties: true,
        description: 'An attempt; `status` and `response` are those of the receiver, if it responded.',
      },
    ),
    { description: 'The attempts of the last 7 days, the latest first.' },
  ),
});

/** The parameters of a list. */
export const listParameters = (statuses: string) => [
  { name: 'status', schema: Type.String({ description: statuses }) },
  {
    name: 'limit',
    schema: Type.String({
      description: 'The maximum number of entries per page: 50 by default, at most 100.',
    }),
  },
  { name: 'cursor', schema: Type.String({ description: 'The `nextCursor` of the previous page.' }) },
];

export const replayBody = Type.Union([
  Type.Object({ delivery: deliveryId }, strict),
  Type.Object({ dead: Type.Literal(true, { description: 'All dead deliveries.' }) }, strict),
  Type.Object(
    {
      since: moment(
        'Deliveries that were delivered, or are dead and whose event happened, at or after this time.',
      ),
      until: Type.Optional(moment('And before this time; now by default.')),
    },
    strict,
  ),
]);
export const replaySchema = Type.Object({
  replayed: Type.Integer({ description: 'The number of deliveries that are sent again.', examples: [3] }),
});
