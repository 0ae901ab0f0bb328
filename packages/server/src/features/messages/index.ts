/** Messages: mails and text messages to app users, their texts, and the jobs that deliver them. */
export { chooseLanguage } from './choose-language.ts';
export { messageTasks } from './deliver-message.ts';
export { addDevMail } from './dev-mail.ts';
export { deviceName } from './device-name.ts';
export { mailNotConfigured, smsNotConfigured } from './errors.ts';
export { defaultLanguage } from './render-for.ts';
export { addMessageRoutes } from './routes.ts';
export { safeName } from './safe-name.ts';
export { canMail, canText, type MessageContext, sendMail, sendText } from './send-message.ts';
export type { MessageServices } from './services.ts';
export { checkMailSettings, checkSmsSettings } from './settings.ts';
export { forgetMailCounts } from './sweep.ts';
export { type Language, supportedLanguages } from './texts.ts';
