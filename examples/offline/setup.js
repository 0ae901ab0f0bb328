// What a developer does once: the collection and its rules. The only file that needs the API key.
import { prepare } from '../prepare.js';

// Whoever knows the code of a list shares it. The schema keeps everything else out.
await prepare('groceries', {
  rules: { read: 'public', create: 'public', update: 'public', delete: 'public' },
  schema: {
    type: 'object',
    required: ['list', 'text', 'bought'],
    properties: {
      list: { type: 'string', minLength: 8, maxLength: 64 },
      text: { type: 'string', minLength: 1, maxLength: 200 },
      bought: { type: 'boolean' },
    },
    additionalProperties: false,
  },
});

process.stdout.write('The collection groceries is ready.\n');
