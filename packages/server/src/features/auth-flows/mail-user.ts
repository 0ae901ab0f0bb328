import type { AppUser } from '../app-users/index.ts';
import { type MessageContext, safeName, sendMail } from '../messages/index.ts';
import type { AuthFlowServices } from './services.ts';

type Message = Omit<Parameters<typeof sendMail>[2], 'to'>;

/** Puts a mail to a user into the queue, in the transaction of its cause. */
export async function mailUser(
  { messages }: Pick<AuthFlowServices, 'messages'>,
  context: MessageContext,
  user: AppUser,
  message: Message,
): Promise<void> {
  const name = safeName(user.data.name);
  const variables = { ...(name !== undefined && { name }), ...message.variables };
  await sendMail(messages, context, { ...message, to: user.email, variables });
}
