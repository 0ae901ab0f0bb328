import { defineError } from '../../../platform/errors.ts';

export const mailNotConfigured = defineError(
  'mail_not_configured',
  () =>
    'The project cannot send mail yet. Whoever runs the app sets a mail server: see SMTP_URL, or plinth project set-mail.',
);
export const smsNotConfigured = defineError(
  'sms_not_configured',
  () =>
    'The project cannot send text messages yet. Whoever runs the app sets a gateway: plinth project set-sms.',
);
