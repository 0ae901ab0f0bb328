import type { Dice } from '../support/data/dice.ts';

const rules = [
  'locked',
  'public',
  'users',
  'status=open',
  'author_id=@user.id',
  '[or]a=1&[or]b=@user.claims.b',
];
const fields = ['title', 'views', 'slug', 'address.city', 'author_id', 'größe', '1'];
const schemas = [
  { type: 'object', required: ['title'], properties: { title: { type: 'string', maxLength: 40 } } },
  { properties: { zeta: { enum: ['z', 'a'] }, alpha: { type: ['string', 'null'] }, 1: { minimum: 0.5 } } },
  { additionalProperties: false, patternProperties: { '^x_"quoted"$': { type: 'number' } } },
];
const texts = [
  'Good to have you.',
  'Subject: not one\n\nHello {{name}},',
  '\n two\n\nparagraphs \n',
  'ä\r\nb',
];

/** A configuration of any shape that a project can have. */
export function randomConfiguration(dice: Dice) {
  const names = new Set(dice.several(['posts', 'Tags', 'a', 'x_1', 'long-name', 'users', 'constructors'], 7));
  return {
    collections: Object.fromEntries([...names, 'always'].map((name) => [name, randomCollection(dice)])),
    settings: {
      uploads: dice.pick(['users', 'server']),
      responseFormat: dice.pick(['bare', 'envelope']),
      language: dice.pick(['en', 'de', 'fr', 'es']),
      allow2faOptOut: dice.chance(0.5),
      rooms: Object.fromEntries(
        dice.several(['b-*', 'a', 'u-{user.id}'], 3).map((room) => [room, dice.pick(['public', 'users'])]),
      ),
      testReceivers: [...new Set(dice.several(['b@example.com', 'a@example.com'], 2))],
    },
    configs: {
      ...(dice.chance(0.5) && { OTP_LENGTH: dice.between(4, 10) }),
      ...(dice.chance(0.5) && { ENABLE_2FA: dice.chance(0.5) }),
      ...(dice.chance(0.5) && { ALLOWED_SELF_ROLES: dice.pick(['', 'a', 'a,b']) }),
      ...(dice.chance(0.5) && { FRONTEND_URL: 'https://app.example.com/?a="b"' }),
    },
    allowedOrigins: [...new Set(dice.several(['https://b.example.com', 'http://localhost:5173'], 3))],
    // A folder without mails leaves them alone, so there is always one.
    mails: {
      'new-device.en': randomMail(dice),
      ...(dice.chance(0.5) && { 'welcome.de': randomMail(dice) }),
      ...(dice.chance(0.5) && { 'sms-code.fr': { body: dice.pick(['{{code}}', 'Subject: {{code}}']) } }),
    },
  };
}

function randomMail(dice: Dice) {
  return {
    subject: dice.pick(['Hello', ' blank ', '{{app_name}}: "news"']),
    body: dice.pick(texts),
    ...(dice.chance(0.3) && { html: '<p>Hello\n</p>\n' }),
  };
}

function randomCollection(dice: Dice) {
  const hasOwner = dice.chance(0.5);
  const rule = () => dice.pick(hasOwner ? [...rules, 'owner'] : rules);
  return {
    rules: { read: rule(), create: rule(), ...(dice.chance(0.5) && { update: rule(), delete: rule() }) },
    ...(hasOwner && { ownerField: 'author_id' }),
    ...(dice.chance(0.3) && { hiddenFields: ['secret', 'inner.secret'] }),
    ...(dice.chance(0.3) && { fieldRules: { likes: { update: rule() }, 'a.b': { create: rule() } } }),
    ...(dice.chance(0.3) && { autoIndex: dice.chance(0.5) }),
    ...(dice.chance(0.5) && { schema: dice.pick(schemas) }),
    indexes: [
      ...(dice.chance(0.5) ? [{ kind: 'unique', fields: ['slug'] }] : []),
      ...(dice.chance(0.3) ? [{ kind: 'search', fields: ['title'] }] : []),
      ...(dice.chance(0.5)
        ? [
            {
              kind: 'sort',
              fields: [
                ...new Set([dice.pick(fields), ...dice.several(fields, 2)]),
                dice.pick(['-createdAt', 'updatedAt']),
              ],
            },
          ]
        : []),
    ],
  };
}
