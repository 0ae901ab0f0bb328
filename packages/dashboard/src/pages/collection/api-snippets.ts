import type { CollectionShape, FieldShape } from '@plinth/protocol';

type SnippetName = 'setUp' | 'list' | 'read' | 'create' | 'update' | 'delete' | 'live';

interface Snippet {
  readonly name: SnippetName;
  readonly code: string;
}

interface About {
  readonly url: string;
  readonly collection: string;
  readonly shape: CollectionShape | undefined;
  /** Of a document that there is. */
  readonly id: string | undefined;
}

type Value = string | number | boolean;
type Entry = readonly [field: string, value: Value];

const mostFields = 4;
const ownFields = new Set(['id', 'createdAt', 'updatedAt']);
const madeUp: readonly Entry[] = [
  ['title', 'Hello'],
  ['status', 'draft'],
];

/** Some fields that documents have, each with a value that one of them has. */
function entriesOf(shape: CollectionShape | undefined): readonly Entry[] {
  const found = (shape?.fields ?? [])
    .filter(({ path }) => !ownFields.has(path) && /^[A-Za-z_]\w*$/.test(path))
    .toSorted((a, b) => b.share - a.share)
    .flatMap(entryOf)
    .slice(0, mostFields);
  return found.length > 0 ? found : madeUp;
}

function entryOf({ path, values, examples }: FieldShape): Entry[] {
  const [value] = values ?? examples;
  return value === undefined ? [] : [[path, value]];
}

/** The calls of a collection in a language, with its real fields. */
export function snippetsOf(language: 'curl' | 'ts', about: About): readonly Snippet[] {
  const entries = entriesOf(about.shape);
  const [first = madeUp[0] as Entry] = entries;
  const given = { ...about, entries, first, one: about.id ?? '<id>' };
  return language === 'curl' ? inCurl(given) : inTypeScript(given);
}

interface Given extends About {
  readonly entries: readonly Entry[];
  readonly first: Entry;
  readonly one: string;
}

/** Between single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function inCurl({ url, collection, entries, first: [field, value], one }: Given): Snippet[] {
  const address = `${url}/collections/${collection}`;
  const key = '\\\n  -H "X-API-Key: $PLINTH_KEY"';
  const body = (fields: readonly Entry[]) =>
    `\\\n  -H "Content-Type: application/json" \\\n  -d ${quoted(JSON.stringify(Object.fromEntries(fields)))}`;
  const filter = `${field}=${encodeURIComponent(String(value))}`;
  return [
    { name: 'list', code: `curl ${quoted(`${address}?${filter}&orderBy=-createdAt&limit=20`)} ${key}` },
    { name: 'read', code: `curl ${quoted(`${address}/${one}`)} ${key}` },
    { name: 'create', code: `curl ${address} ${key} ${body(entries)}` },
    {
      name: 'update',
      code: `curl -X PATCH ${quoted(`${address}/${one}`)} ${key} ${body([[field, value]])}`,
    },
    { name: 'delete', code: `curl -X DELETE ${quoted(`${address}/${one}`)} ${key}` },
    { name: 'live', code: `curl -N ${quoted(`${url}/realtime/sse/${collection}?${filter}`)} ${key}` },
  ];
}

function inTypeScript({ url, collection, entries, first: [field, value], one }: Given): Snippet[] {
  const literal = (fields: readonly Entry[]) =>
    `{ ${fields.map(([name, of]) => `${name}: ${JSON.stringify(of)}`).join(', ')} }`;
  const name = /^[A-Za-z_$][\w$]*$/.test(collection) ? collection : 'documents';
  const where = `${name}.where('${field}', ${JSON.stringify(value)})`;
  return [
    {
      name: 'setUp',
      code: `import { createClient } from '@plinth/client';\n\nconst plinth = createClient({ url: '${url}' });\nconst ${name} = plinth.collection('${collection}');`,
    },
    { name: 'list', code: `const page = await ${where}.orderBy('-createdAt').page({ limit: 20 });` },
    { name: 'read', code: `const one = await ${name}.get('${one}');` },
    { name: 'create', code: `const made = await ${name}.create(${literal(entries)});` },
    { name: 'update', code: `await ${name}.update('${one}', ${literal([[field, value]])});` },
    { name: 'delete', code: `await ${name}.delete('${one}');` },
    {
      name: 'live',
      code: `const list = ${where}.live();\nconst stop = list.subscribe(({ status, items }) => console.log(status, items));`,
    },
  ];
}
