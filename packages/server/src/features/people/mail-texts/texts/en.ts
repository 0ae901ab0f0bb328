import type { TextSet } from './text-set.ts';

export const en: TextSet = {
  buttonHint: 'If the button does not work, copy this address into your browser:',
  footer: '{{app_name}} sent this mail to {{email}} because this address was given for an account there.',
  templates: {
    verification: {
      subject: 'Confirm your e-mail address for {{app_name}}',
      button: 'Confirm address',
      body: `Hello{{#name}} {{name}}{{/name}},

Please confirm that {{email}} is your address, so that you can use it with {{app_name}}.

{{link}}

The link is valid for {{hours}} hours and works once.

If this has nothing to do with you, somebody has probably mistyped their address. You can ignore this mail; the address will then stay unconfirmed.`,
    },
    welcome: {
      subject: 'Welcome to {{app_name}}',
      button: 'Sign in',
      body: `Hello{{#name}} {{name}}{{/name}},

Your account at {{app_name}} is ready. You sign in with this address: {{email}}

{{login_url}}

If you did not create this account, somebody else gave your address. You need not do anything.`,
    },
    'password-reset': {
      subject: 'Reset your password for {{app_name}}',
      button: 'Choose a new password',
      body: `Hello{{#name}} {{name}}{{/name}},

We were asked to reset the password of your account at {{app_name}} ({{email}}). You can choose a new one here:

{{link}}

The link is valid for {{minutes}} minutes and works once. Until you choose a new password, the old one stays as it is.

If you did not ask for this, you can ignore this mail. Nobody can change your password without the link above, so please do not pass it on.

{{#login_url}}If you remember your password after all, sign in as usual:{{/login_url}}

{{login_url}}`,
    },
    'password-changed': {
      subject: 'Your password for {{app_name}} was changed',
      body: `Hello{{#name}} {{name}}{{/name}},

The password of your account at {{app_name}} ({{email}}) was changed on {{time}}{{#device}} ({{device}}){{/device}}. Devices that were signed in before have been signed out.

If this was you, there is nothing else to do.

If it was not you, somebody else has access to your account. Please reset your password at once: choose “Forgot password” where you sign in. If you use the same password for your mail account, change it there too.

{{login_url}}`,
    },
    'two-step-code': {
      subject: 'Your sign-in code for {{app_name}}',
      body: `Hello{{#name}} {{name}}{{/name}},

To finish signing in to {{app_name}}, enter this code:

{{code}}

The code is valid for {{minutes}} minutes and works once. Please do not pass it on; nobody from {{app_name}} will ask you for it.

If you are not signing in at the moment, somebody else knows your password. Please change it soon.`,
    },
    'phone-code': {
      subject: 'Your code for {{app_name}}',
      body: `Hello{{#name}} {{name}}{{/name}},

To go on with your phone number in {{app_name}}, enter this code:

{{code}}

The code is valid for {{minutes}} minutes and works once. Please do not pass it on; nobody from {{app_name}} will ask you for it.

If you did not ask for a code, you can ignore this mail. Nobody can sign in without it.`,
    },
    'sms-code': {
      body: '{{code}} is your code for {{app_name}}. Valid for {{minutes}} minutes. Do not pass it on.',
    },
    'new-device': {
      subject: 'New sign-in to {{app_name}}',
      body: `Hello{{#name}} {{name}}{{/name}},

Somebody signed in to your account at {{app_name}} ({{email}}) from a device that we have not seen there before.

Time: {{time}}
{{#device}}Device: {{device}}{{/device}}
{{#address}}IP address: {{address}}{{/address}}

If this was you, there is nothing to do.

If it was not you, somebody else knows your password. Please sign in and change it at once; all other devices are signed out then.

{{login_url}}`,
    },
  },
};
