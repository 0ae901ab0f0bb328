import { safeName } from '../mail-texts/index.ts';
import type { MessageDeps } from './deps.ts';
import type { Message } from './message.ts';
import type { MessageContext } from './queue-message.ts';
import { sendMail } from './send-message.ts';

interface Receiver {
  readonly email: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Queues a mail to an app user, in the transaction of its cause. */
export async function mailUser(
  deps: MessageDeps,
  context: MessageContext,
  { email, data }: Receiver,
  message: Omit<Message, 'to'>,
): Promise<void> {
  const name = safeName(data.name);
  const variables = { ...(name !== undefined && { name }), ...message.variables };
  await sendMail(deps, context, { ...message, to: email, variables });
}
