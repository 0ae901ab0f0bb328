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
  description: 'The id of the delivery: that of its event.',
});

const waiting = Type.Integer({ description: 'How many wait.', examples: [0] });
const dead = Type.Integer({ description: 'How many are dead.', examples: [0] });

export const countsSchema = Type.Object(
  { waiting, dead },
  { description: 'What there is, counted up to a thousand.' },
);

const health = {
  waiting,
  dead,
  failingSince: momentOrNull('Since when every attempt fails; null: the last one did not.'),
  pausedUntil: momentOrNull(
    'Until when nothing is tried, after ten failures in a row or because it was asked for.',
  ),
};
export const healthSchema = Type.Object(health, {
  description: 'How it goes; what waits and what is dead is counted up to a thousand.',
});
/** For what keeps a log of its attempts. */
export const loggedHealthSchema = Type.Object(
  {
    ...health,
    lastAt: momentOrNull('When something was tried last, in the last 7 days.'),
    lastDelivered: orNull(Type.Boolean(), 'Whether that was taken.'),
  },
  { description: 'How it goes; what waits and what is dead is counted up to a thousand.' },
);

const kept = {
  id: deliveryId,
  type: Type.String({ description: 'What happened.', examples: ['orders.create'] }),
  status: Type.Union([Type.Literal('waiting'), Type.Literal('delivered'), Type.Literal('dead')], {
    description: 'What became of it.',
  }),
  attempts: Type.Integer({ description: 'How often it was tried.', examples: [1] }),
  at: moment('When it happened, or, if it was delivered, when that was.'),
  dueAt: momentOrNull('When it is tried next.'),
  error: orNull(Type.String(), 'Why it failed last.'),
};
export const deliveriesSchema = Type.Array(Type.Object(kept));

const told = {
  ...kept,
  payload: Type.Object({}, { additionalProperties: true, description: 'What was sent, or is to be sent.' }),
};
export const deliverySchema = Type.Object(told);
/** For what keeps a log of its attempts. */
export const loggedDeliverySchema = Type.Object({
  ...told,
  tried: Type.Array(
    Type.Object(
      {
        attempt: Type.Integer({ description: 'Which it was.', examples: [1] }),
        at: moment('When it ended.'),
        isDelivered: Type.Boolean({ description: 'Whether it was taken.' }),
        ms: Type.Integer({ description: 'How long it took.', examples: [120] }),
        error: orNull(Type.String(), 'Why it failed.'),
      },
      {
        additionalProperties: true,
        description: 'An attempt; `status` and `response` are what came back, if anything did.',
      },
    ),
    { description: 'What was tried in the last 7 days, the latest first.' },
  ),
});

/** The parameters of a list. */
export const listParameters = (statuses: string) => [
  { name: 'status', schema: Type.String({ description: statuses }) },
  {
    name: 'limit',
    schema: Type.String({ description: 'How many: 50 unless you say otherwise, at most 100.' }),
  },
  { name: 'cursor', schema: Type.String({ description: 'The nextCursor of the page before.' }) },
];

export const replayBody = Type.Union([
  Type.Object({ delivery: deliveryId }, strict),
  Type.Object({ dead: Type.Literal(true, { description: 'Everything that is dead.' }) }, strict),
  Type.Object(
    {
      since: moment('What was delivered, or has happened and is dead, from then on.'),
      until: Type.Optional(moment('And before that; until now unless you say otherwise.')),
    },
    strict,
  ),
]);
export const replaySchema = Type.Object({
  replayed: Type.Integer({ description: 'How many are sent again.', examples: [3] }),
});
