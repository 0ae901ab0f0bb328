import type { FieldShape } from '@plinth/protocol';
import { expect, test } from 'vitest';
import { describeFields } from '../../features/data/collection-shapes/index.ts';
import { writeTypes } from './write-types.ts';

const url = 'http://localhost:4400/p/abc123def456';
const users = { count: 0, roles: [], data: [], claims: [] };

function collection(name: string, documents: readonly object[], links: Record<string, string[]> = {}) {
  const fields = describeFields(documents).map((field): FieldShape => {
    const found = links[field.path];
    return found ? { ...field, links: found } : field;
  });
  return { name, shape: { sampled: documents.length, isComplete: true, hasMore: false, fields } };
}

test('types are guessed from documents: choices, links, arrays, objects, what is not always there', () => {
  const documents = Array.from({ length: 60 }, (_, n) => ({
    title: `Book ${n}`,
    status: ['open', 'lent', "l'ost"][n % 3],
    year: n % 10 === 0 ? null : 1900 + n,
    author_id: 'x',
    editor_ids: ['x'],
    ...(n < 30 && { shelf: { row: 'A', 'odd.name': n } }),
    lines: [{ sku: 'a1' }, { sku: `a${n}`, left: true }],
    mixed: n % 2 === 0 ? [1, 'x'] : false,
    empty: [],
  }));
  const links = { author_id: ['@user'], 'editor_ids[]': ['authors', '@user'] };
  const people = {
    count: 2,
    roles: ['admin', 'user'],
    data: describeFields([{ name: 'Ada' }, { name: 'Bob', home: 'x' }]),
    claims: [],
  };
  expect(writeTypes({ url, collections: [collection('books', documents, links)], users: people })).toBe(
    `// The types of http://localhost:4400/p/abc123def456
// Written by \`plinth types\`: run it again rather than change them here.
import type { Id, UserId } from '@plinth/client';

export interface Project {
  collections: {
    /** Guessed from all of its documents: 60 documents looked at. */
    books: {
      title: string;
      status: 'l\\'ost' | 'lent' | 'open';
      year: number | null;
      author_id: UserId;
      editor_ids: (Id<'authors'> | UserId)[];
      shelf?: {
        row: string;
        'odd.name': number;
      };
      lines: {
        sku: string;
        left?: boolean;
      }[];
      mixed: (number | string)[] | boolean;
      empty: unknown[];
    };
  };
  /** 2 app users looked at. */
  user: {
    data: {
      name: string;
      home?: string;
    };
    claims: Record<string, unknown>;
    role: 'admin' | 'user';
  };
}
`,
  );
});

test('a JSON Schema is taken at its word, and links are found in what was seen', () => {
  const schema = {
    type: 'object',
    required: ['title', 'kind'],
    properties: {
      title: { type: 'string' },
      kind: { enum: ['a', 1, null] },
      author_id: { type: ['string', 'null'] },
      tags: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      tree: { $ref: '#/$defs/tree' },
      map: { type: 'object', additionalProperties: { type: 'boolean' } },
      any: {},
    },
    $defs: {
      tree: {
        type: 'object',
        properties: { name: { const: 'x' }, child: { $ref: '#/$defs/tree' } },
      },
    },
  };
  const books = collection('my-books', [{ author_id: 'x' }], { author_id: ['authors'] });
  const text = writeTypes({ url, collections: [{ ...books, schema }], users });
  expect(text.slice(text.indexOf('    /**'), text.indexOf('\n  };') + 1)).toBe(
    `    /** By its JSON Schema. */
    'my-books': {
      title: string;
      kind: 'a' | 1 | null;
      author_id?: Id<'authors'> | null;
      tags?: (string | number)[];
      tree?: {
        name?: 'x';
        child?: unknown;
      };
      map?: Record<string, boolean>;
      any?: unknown;
    };
`,
  );
});

test('a map is a map, and a collection without documents is open', () => {
  const map = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`k${n}`, n]));
  const text = writeTypes({
    url,
    collections: [collection('maps', [{ map }]), collection('none', [])],
    users,
  });
  expect(text).toContain('map: { [key: string]: unknown };');
  expect(text).toContain('none: Record<string, unknown>;');
  expect(text).not.toContain('import');
});
