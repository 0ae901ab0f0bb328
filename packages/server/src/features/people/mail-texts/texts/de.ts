import type { TextSet } from './text-set.ts';

export const de: TextSet = {
  buttonHint: 'Falls die Schaltfläche nicht funktioniert, kopieren Sie diese Adresse in Ihren Browser:',
  footer:
    '{{app_name}} hat diese Nachricht an {{email}} gesendet, weil diese Adresse dort für ein Konto angegeben wurde.',
  templates: {
    verification: {
      subject: 'Bestätigen Sie Ihre E-Mail-Adresse für {{app_name}}',
      button: 'Adresse bestätigen',
      body: `Guten Tag{{#name}} {{name}}{{/name}},

bitte bestätigen Sie, dass die Adresse {{email}} Ihnen gehört, damit Sie sie bei {{app_name}} verwenden können.

{{link}}

Der Link ist {{hours}} Stunden gültig und funktioniert nur einmal.

Falls Sie damit nichts anfangen können, hat sich vermutlich jemand bei der Adresse vertippt. Sie können diese Nachricht ignorieren; die Adresse bleibt dann unbestätigt.`,
    },
    welcome: {
      subject: 'Willkommen bei {{app_name}}',
      button: 'Anmelden',
      body: `Guten Tag{{#name}} {{name}}{{/name}},

Ihr Konto bei {{app_name}} ist bereit. Sie melden sich mit dieser Adresse an: {{email}}

{{login_url}}

Falls Sie dieses Konto nicht angelegt haben, hat jemand anderes Ihre Adresse angegeben. Sie müssen nichts tun.`,
    },
    'password-reset': {
      subject: 'Setzen Sie Ihr Passwort für {{app_name}} zurück',
      button: 'Neues Passwort wählen',
      body: `Guten Tag{{#name}} {{name}}{{/name}},

für Ihr Konto bei {{app_name}} ({{email}}) wurde angefordert, das Passwort zurückzusetzen. Hier können Sie ein neues wählen:

{{link}}

Der Link ist {{minutes}} Minuten gültig und funktioniert nur einmal. Solange Sie kein neues Passwort wählen, gilt das bisherige weiter.

Falls Sie das nicht angefordert haben, können Sie diese Nachricht ignorieren. Ohne den Link oben kann niemand Ihr Passwort ändern; geben Sie ihn deshalb bitte nicht weiter.

{{#login_url}}Falls Ihnen Ihr Passwort doch wieder einfällt, melden Sie sich wie gewohnt an:{{/login_url}}

{{login_url}}`,
    },
    'password-changed': {
      subject: 'Ihr Passwort für {{app_name}} wurde geändert',
      body: `Guten Tag{{#name}} {{name}}{{/name}},

das Passwort Ihres Kontos bei {{app_name}} ({{email}}) wurde am {{time}} geändert{{#device}} ({{device}}){{/device}}. Geräte, die zuvor angemeldet waren, wurden abgemeldet.

Falls Sie das waren, brauchen Sie nichts weiter zu tun.

Falls nicht, hat jemand anderes Zugang zu Ihrem Konto. Bitte setzen Sie Ihr Passwort umgehend zurück: Wählen Sie bei der Anmeldung „Passwort vergessen“. Falls Sie dasselbe Passwort für Ihr E-Mail-Konto verwenden, ändern Sie es auch dort.

{{login_url}}`,
    },
    'two-step-code': {
      subject: 'Ihr Anmeldecode für {{app_name}}',
      body: `Guten Tag{{#name}} {{name}}{{/name}},

um die Anmeldung bei {{app_name}} abzuschließen, geben Sie diesen Code ein:

{{code}}

Der Code ist {{minutes}} Minuten gültig und funktioniert nur einmal. Bitte geben Sie ihn nicht weiter; niemand von {{app_name}} wird Sie danach fragen.

Falls Sie sich gerade nicht anmelden, kennt jemand anderes Ihr Passwort. Bitte ändern Sie es bald.`,
    },
    'phone-code': {
      subject: 'Ihr Code für {{app_name}}',
      body: `Guten Tag{{#name}} {{name}}{{/name}},

um mit Ihrer Telefonnummer bei {{app_name}} fortzufahren, geben Sie diesen Code ein:

{{code}}

Der Code ist {{minutes}} Minuten gültig und funktioniert nur einmal. Bitte geben Sie ihn nicht weiter; niemand von {{app_name}} wird Sie danach fragen.

Falls Sie keinen Code angefordert haben, können Sie diese Nachricht ignorieren. Ohne den Code kann sich niemand anmelden.`,
    },
    'sms-code': {
      body: '{{code}} ist Ihr Code für {{app_name}}. {{minutes}} Minuten gültig. Bitte nicht weitergeben.',
    },
    'new-device': {
      subject: 'Neue Anmeldung bei {{app_name}}',
      body: `Guten Tag{{#name}} {{name}}{{/name}},

jemand hat sich mit Ihrem Konto bei {{app_name}} ({{email}}) auf einem Gerät angemeldet, das dort bisher nicht verwendet wurde.

Zeit: {{time}}
{{#device}}Gerät: {{device}}{{/device}}
{{#address}}IP-Adresse: {{address}}{{/address}}

Falls Sie das waren, brauchen Sie nichts zu tun.

Falls nicht, kennt jemand anderes Ihr Passwort. Bitte melden Sie sich an und ändern Sie es umgehend; alle anderen Geräte werden dabei abgemeldet.

{{login_url}}`,
    },
  },
};
