import type { Reply } from '../support/client.ts';

/** A configuration with something of everything. */
export const configuration = {
  collections: {
    posts: {
      rules: { read: 'room.member_ids=@user.id', create: 'users', update: 'owner', delete: 'locked' },
      ownerField: 'author_id',
      hiddenFields: ['note'],
      fieldRules: { likes: { update: 'users' } },
      autoIndex: false,
      indexes: [
        { kind: 'sort', fields: ['status', '-views'] },
        { kind: 'unique', fields: ['slug'] },
      ],
      schema: { type: 'object', required: ['slug'], properties: { slug: { type: 'string' } } },
    },
    rooms: { rules: { read: 'public' } },
  },
  settings: {
    uploads: 'server',
    language: 'de',
    rooms: { 'chat-*': 'users' },
    testReceivers: ['A@Example.com'],
  },
  configs: { OTP_LENGTH: 8, ENABLE_2FA: true, ALLOWED_SELF_ROLES: 'a, b' },
  allowedOrigins: ['https://b.example.com', 'https://a.example.com'],
  mails: { 'welcome.en': { subject: 'Hello', body: 'Good to have you.' } },
};

/** What a push says it does. */
export const wordsOf = ({ body }: Reply): string[] =>
  body.data.changes.map(({ words }: { words: string }) => words);
