// What a developer does once: the collection and its rules. The only file that needs the API key.
const base = process.env.BASE ?? 'http://localhost:4400';

/** Calls Plinth with the API key; what is there already is no failure. */
async function call(method, path, body) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { 'X-API-Key': process.env.KEY ?? '', 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { success, error } = await response.json();
  if (!success && error.code !== 'collection_exists') throw new Error(`${error.code}: ${error.message}`);
}

await call('POST', '/collections', { name: 'items' });
// Whoever opens the page shares the list. The schema keeps everything else out of it.
await call('PATCH', '/collections/items', {
  settings: {
    rules: { read: 'public', create: 'public', update: 'public', delete: 'public' },
    schema: {
      type: 'object',
      required: ['text', 'done'],
      properties: { text: { type: 'string', minLength: 1, maxLength: 200 }, done: { type: 'boolean' } },
      additionalProperties: false,
    },
  },
});

process.stdout.write('The collection items is ready.\n');
