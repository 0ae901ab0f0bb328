import type { TextSet } from './text-set.ts';

export const en: TextSet = {
  buttonHint: 'If the button does not work, copy this address into your browser:',
  footer: '{{app_name}} sent this email to {{email}} because this address is used for an account there.',
  templates: {
    verification: {
      subject: 'Confirm your email address for {{app_name}}',
      button: 'Confirm address',
      body: `Hello{{#name}} {{name}}{{/name}},

Please confirm that {{email}} is your email address so that you can use it with {{app_name}}.

{{link}}

The link is valid for {{hours}} hours and can be used once.

If you were not expecting this, someone has probably mistyped their address. You can ignore this email; the address will stay unconfirmed.`,
    },
    welcome: {
      subject: 'Welcome to {{app_name}}',
      button: 'Sign in',
      body: `Hello{{#name}} {{name}}{{/name}},

Your {{app_name}} account is ready. Sign in with this address: {{email}}

{{login_url}}

If you did not create this account, someone else entered your address. You do not need to do anything.`,
    },
    'password-reset': {
      subject: 'Reset your password for {{app_name}}',
      button: 'Choose a new password',
      body: `Hello{{#name}} {{name}}{{/name}},

We received a request to reset the password of your {{app_name}} account ({{email}}). You can choose a new one here:

{{link}}

The link is valid for {{minutes}} minutes and can be used once. Your current password keeps working until you choose a new one.

If you did not request this, you can ignore this email. Nobody can change your password without the link above, so please do not share it.

{{#login_url}}If you remember your password after all, sign in as usual:{{/login_url}}

{{login_url}}`,
    },
    'password-changed': {
      subject: 'Your password for {{app_name}} was changed',
      body: `Hello{{#name}} {{name}}{{/name}},

The password of your {{app_name}} account ({{email}}) was changed on {{time}}{{#device}} ({{device}}){{/device}}. All devices that were signed in have been signed out.

If this was you, you do not need to do anything else.

If it was not you, someone else has access to your account. Please reset your password immediately: choose “Forgot password” where you sign in. If you use the same password for your email account, change it there too.

{{login_url}}`,
    },
    'two-step-code': {
      subject: 'Your sign-in code for {{app_name}}',
      body: `Hello{{#name}} {{name}}{{/name}},

To finish signing in to {{app_name}}, enter this code:

{{code}}

The code is valid for {{minutes}} minutes and can be used once. Please do not share it; nobody from {{app_name}} will ask you for it.

If you are not signing in right now, someone else knows your password. Please change it as soon as possible.`,
    },
    'phone-code': {
      subject: 'Your code for {{app_name}}',
      body: `Hello{{#name}} {{name}}{{/name}},

To continue with your phone number in {{app_name}}, enter this code:

{{code}}

The code is valid for {{minutes}} minutes and can be used once. Please do not share it; nobody from {{app_name}} will ask you for it.

If you did not request a code, you can ignore this email. Nobody can sign in without it.`,
    },
    'sms-code': {
      body: '{{code}} is your code for {{app_name}}. Valid for {{minutes}} minutes. Do not share it.',
    },
    'new-device': {
      subject: 'New sign-in to {{app_name}}',
      body: `Hello{{#name}} {{name}}{{/name}},

Someone signed in to your {{app_name}} account ({{email}}) from a device that has not been used there before.

Time: {{time}}
{{#device}}Device: {{device}}{{/device}}
{{#address}}IP address: {{address}}{{/address}}

If this was you, you do not need to do anything.

If it was not you, someone else knows your password. Please sign in and change it immediately; this signs out all other devices.

{{login_url}}`,
    },
  },
};
