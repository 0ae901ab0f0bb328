// What a developer does once: the collection and its rules. The only file that needs the API key.
import { prepare } from '../prepare.js';

// Whoever opens the page shares the list. The schema keeps everything else out of it.
await prepare('items', {
  rules: { read: 'public', create: 'public', update: 'public', delete: 'public' },
  schema: {
    type: 'object',
    required: ['text', 'done'],
    properties: { text: { type: 'string', minLength: 1, maxLength: 200 }, done: { type: 'boolean' } },
    additionalProperties: false,
  },
});

process.stdout.write('The collection items is ready.\n');
