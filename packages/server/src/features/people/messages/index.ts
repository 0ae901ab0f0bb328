/** Messages: mails and text messages to app users, and the jobs that deliver them. */
export { messageTasks } from './deliver-message.ts';
export type { MessageDeps, ServerMail } from './deps.ts';
export { mailNotConfigured, smsNotConfigured } from './errors.ts';
export { mailUser } from './mail-user.ts';
export { postServerMail } from './post-mail.ts';
export type { MessageContext } from './queue-message.ts';
export { countUnsentMessages, forgetRecordsTo } from './record-store.ts';
export { addMessageRoutes } from './routes.ts';
export { canMail, canText, mayMailTest, sendMail, sendText } from './send-message.ts';
export { checkMailSettings, checkSmsSettings } from './settings.ts';
export { countMessagesToday } from './store.ts';
