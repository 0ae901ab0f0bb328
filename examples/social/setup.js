// What a developer does once: collections and their rules. The only file that needs the API key.
import { prepare } from '../prepare.js';

// Everyone reads what is published; drafts, and changes, are the author's own.
await prepare('posts', {
  ownerField: 'author_id',
  rules: {
    read: '[or]status=published&[or]author_id=@user.id',
    create: 'users',
    update: 'owner',
    delete: 'owner',
  },
  schema: {
    type: 'object',
    required: ['text', 'status'],
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 500 },
      status: { enum: ['draft', 'published'] },
    },
  },
});

// A like is a document of whoever likes: it can be counted by all and taken back by its owner.
await prepare('likes', {
  ownerField: 'user_id',
  rules: { read: 'public', create: 'users', update: 'locked', delete: 'owner' },
  schema: { type: 'object', required: ['post_id'], properties: { post_id: { type: 'string' } } },
});

process.stdout.write('The collections posts and likes are ready.\n');
