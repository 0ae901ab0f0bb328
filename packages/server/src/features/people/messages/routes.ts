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
  kind: Type.Enum(messageKinds, { description: 'A mail or a text message.', examples: ['mail'] }),
  template: Type.String({
    description: 'Which text it has; `custom`: one that your code has written.',
    examples: ['password-reset'],
  }),
  to: Type.String({ description: 'An e-mail address or a phone number.', examples: ['ada@example.com'] }),
  status: Type.Enum(messageStatuses, {
    description:
      '`waiting`: it is yet to be sent, perhaps after tries that failed. `sent`: the server or gateway has taken it. `failed`: it is not tried any more.',
    examples: ['failed'],
  }),
  attempts: Type.Integer({ description: 'How often it was tried.', examples: [3] }),
  lastError: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last try failed, in plain words.',
    examples: ['The mail server cannot be reached.'],
  }),
  createdAt: Type.String({ format: 'date-time' }),
  triedAt: orNull('When it was last tried.'),
  nextTryAt: orNull('When it is tried next, after a try that failed.'),
  expiresAt: orNull('When its link or code expires; after that it is not sent any more.'),
  canRetry: Type.Boolean({ description: 'Whether it can be tried again now.', examples: [true] }),
});

/** Receivers of one mail. @limit invalid_body */
const mostReceivers = 10;
/** Characters of the subject of a mail. @limit invalid_body */
const longestSubject = 200;
/** Characters of the text of a mail. @limit invalid_body */
const longestText = 100_000;
/** Characters of the HTML of a mail. @limit invalid_body */
const longestHtml = 200_000;

const receiver = Type.String({ minLength: 3, maxLength: 254, examples: ['ada@example.com'] });

const mailBody = Type.Object(
  {
    to: Type.Union([receiver, Type.Array(receiver, { minItems: 1, maxItems: mostReceivers })], {
      description: 'Who gets it: an e-mail address, or several. Each gets a mail of its own.',
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
      description: 'What the mail says, as plain text.',
      examples: ['Hello Ada,\n\nwe have sent your order today.'],
    }),
    html: Type.Optional(
      Type.String({
        maxLength: longestHtml,
        description: 'The same as HTML, for programs that show it. It is sent as it is.',
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
      summary: 'Send a mail of your own',
      description:
        'It is written down at once, and sent as soon as the mail server takes it. The sender is that of the project. Without a mail server of its own, a project can write to its users and its receivers of test mails. In code this is `ctx.mail.send(…)`.',
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
      summary: 'List mails and text messages: sent, waiting, failed',
      description:
        'The latest first, for 30 days and 10,000 at most. What they say is not among it: links and codes are secrets.',
      query: [
        { name: 'status', schema: Type.Enum(messageStatuses, { description: 'Messages of this status.' }) },
        {
          name: 'to',
          schema: Type.String({
            description: 'Part of the e-mail address or phone number, whatever the case.',
          }),
        },
        {
          name: 'limit',
          schema: Type.Integer({ default: 50, minimum: 1, maximum: 100, description: 'Messages a page.' }),
        },
        { name: 'cursor', schema: Type.String({ description: 'The `nextCursor` of the page before.' }) },
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
      summary: 'Send a message now that could not be sent',
      description:
        'For one that has failed, or that waits for its next try. Refused once its link or code has expired: the user has to ask for a new one.',
      params: Type.Object({ id: Type.String({ description: 'Id of the message.' }) }),
      answers: { status: 200, data: messageSchema },
      failures: [400, 404],
    }),
    async (context, { params }) => ok(await retryMessage(context, params.id)),
  );
}
