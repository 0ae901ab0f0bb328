import { Type } from 'typebox';
import { created, ok, type ProjectRoutes, routeGroup } from '../../../calls/index.ts';
import type { MessageDeps } from './deps.ts';
import { listMessages, retryMessage } from './list-messages.ts';
import { messageKinds, messageStatuses } from './message-record.ts';
import { sendWritten } from './send-written.ts';

const orNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

const messageSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  kind: Type.Enum(messageKinds, { description: 'An email or a text message.', examples: ['mail'] }),
  template: Type.String({
    description: 'Its template; `custom`: an email written by your code.',
    examples: ['password-reset'],
  }),
  to: Type.String({ description: 'An email address or a phone number.', examples: ['ada@example.com'] }),
  status: Type.Enum(messageStatuses, {
    description:
      '`waiting`: not sent yet, perhaps after failed attempts. `sent`: the server or gateway has accepted it. `failed`: it is no longer retried.',
    examples: ['failed'],
  }),
  attempts: Type.Integer({ description: 'The number of attempts.', examples: [3] }),
  lastError: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last attempt failed.',
    examples: ['The mail server cannot be reached.'],
  }),
  createdAt: Type.String({ format: 'date-time' }),
  triedAt: orNull('When it was last attempted.'),
  nextTryAt: orNull('When it is retried after a failed attempt.'),
  expiresAt: orNull('When its link or code expires; after that, it is no longer sent.'),
  canRetry: Type.Boolean({ description: 'Whether it can be retried now.', examples: [true] }),
});

/** Recipients of one email. @limit invalid_body */
const mostReceivers = 10;
/** Characters in the subject of an email. @limit invalid_body */
const longestSubject = 200;
/** Characters in the text of an email. @limit invalid_body */
const longestText = 100_000;
/** Characters in the HTML of an email. @limit invalid_body */
const longestHtml = 200_000;

const receiver = Type.String({ minLength: 3, maxLength: 254, examples: ['ada@example.com'] });

const mailBody = Type.Object(
  {
    to: Type.Union([receiver, Type.Array(receiver, { minItems: 1, maxItems: mostReceivers })], {
      description: 'The recipients: one email address, or several. Each gets a separate email.',
      examples: ['ada@example.com'],
    }),
    subject: Type.String({
      minLength: 1,
      maxLength: longestSubject,
      description: 'One line of plain text.',
      examples: ['Your order is on its way'],
    }),
    text: Type.String({
      minLength: 1,
      maxLength: longestText,
      description: 'The content of the email as plain text.',
      examples: ['Hello Ada,\n\nwe have sent your order today.'],
    }),
    html: Type.Optional(
      Type.String({
        maxLength: longestHtml,
        description: 'The content as HTML. It is sent unchanged.',
        examples: ['<p>Hello Ada,</p><p>we have sent your order today.</p>'],
      }),
    ),
  },
  { additionalProperties: false },
);

const route = routeGroup({ url: '/messages', access: 'server', scope: 'mail', tag: 'Messages' });

/** Sends mails, and tells what became of them and of text messages, for the project's server. */
export function addMessageRoutes(routes: ProjectRoutes, deps: MessageDeps): void {
  routes.add(
    route('', {
      method: 'POST',
      scope: 'messages',
      operationId: 'sendMail',
      summary: 'Send a custom email',
      description:
        'It is stored immediately and sent as soon as the mail server accepts it. The sender is that of the project. Without its own mail server, a project can only write to its users and test recipients. In code this is `ctx.mail.send(…)`.',
      body: mailBody,
      answers: { status: 201, data: Type.Array(messageSchema) },
      failures: [400],
    }),
    async (context, { body }) => created(await sendWritten(deps, context, body)),
  );
  routes.add(
    route('', {
      method: 'GET',
      operationId: 'listMessages',
      summary: 'List emails and text messages: sent, waiting, failed',
      description:
        'The latest first, for 30 days, at most 10,000. Their content is not included: links and codes are secrets.',
      query: [
        { name: 'status', schema: Type.Enum(messageStatuses, { description: 'Messages of this status.' }) },
        {
          name: 'to',
          schema: Type.String({
            description: 'Part of the email address or phone number, not case-sensitive.',
          }),
        },
        {
          name: 'limit',
          schema: Type.Integer({ default: 50, minimum: 1, maximum: 100, description: 'Messages per page.' }),
        },
        { name: 'cursor', schema: Type.String({ description: 'The `nextCursor` of the previous page.' }) },
      ],
      answers: { status: 200, data: Type.Array(messageSchema), list: true },
      failures: [400],
    }),
    async (context, { queryString }) => {
      const { messages, page } = await listMessages(context, queryString);
      return { ...ok(messages), page };
    },
  );
  routes.add(
    route('/:id/retry', {
      method: 'POST',
      operationId: 'retryMessage',
      summary: 'Retry a message that could not be sent',
      description:
        'For a message that has failed, or that waits for its next attempt. Fails once its link or code has expired: the user must request a new one.',
      params: Type.Object({ id: Type.String({ description: 'Id of the message.' }) }),
      answers: { status: 200, data: messageSchema },
      failures: [400, 404],
    }),
    async (context, { params }) => ok(await retryMessage(context, params.id)),
  );
}
