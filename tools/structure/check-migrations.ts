// Migrations run while nodes of the version before serve: they only add, and never hold a large table for long.
// Usage: node tools/structure/check-migrations.ts [folder of the repository]
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(process.argv[2] ?? '.', 'packages/server/migrations');

/** Those up to here came before the rules. */
const before: Readonly<Record<string, number>> = { cell: 23, control: 7 };

/** Tables that grow with the use of the service. */
const large =
  /^(?:own\.\w+|cell\.(?:documents|document_counts|idempotency_keys|app_users|app_user_secrets|sessions|links|files|loose_blobs|known_devices|identities|passkeys|unique_values|field_names|requests|usage_hours|usage_days|messages|deliveries|dead_deliveries|delivery_attempts|function_runs))$/;

const outside = /^-- Outside a transaction\b/;
const failures: string[] = [];

interface Statement {
  readonly text: string;
  readonly fail: (rule: string, problem: string) => void;
}

/** What may not be done to a large table, and what is done instead. */
const closed: [pattern: RegExp, instead: string][] = [
  [/\bDROP COLUMN\b/, 'The version before reads it: stop using it now, and drop it a version later.'],
  [/\bRENAME\b/, 'The version before knows the old name: add the new one beside it.'],
  [/\bTYPE\b/, 'It rewrites the table: add another column, and fill it in steps.'],
  [
    /\bSET NOT NULL\b/,
    'It reads the whole table: add a CHECK … NOT VALID, and validate it in another migration.',
  ],
  [
    /\bADD COLUMN\b[^,]*\bDEFAULT (?:gen_random_uuid|random|clock_timestamp|nextval)\b/,
    'A default that differs by row rewrites the table: fill the column in steps.',
  ],
  [
    /\bADD COLUMN\b(?![^,]*\bDEFAULT\b)[^,]*\bNOT NULL\b/,
    'The version before leaves it out: give it a default.',
  ],
  [
    /\bADD (?:CONSTRAINT \w+ )?(?:CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID\b)/,
    'It reads the whole table: say NOT VALID, and validate it in another migration.',
  ],
  [
    /\bADD (?:CONSTRAINT \w+ )?(?:UNIQUE|PRIMARY KEY|EXCLUDE)\b(?!.*\bUSING INDEX\b)/,
    'It builds an index while nobody can write: build that CONCURRENTLY first, then say USING INDEX.',
  ],
];

function checkTable({ text, fail }: Statement): void {
  const [, table = ''] = /^(?:ALTER|DROP) TABLE (?:IF EXISTS )?(?:ONLY )?([\w.]+)/.exec(text) ?? [];
  if (!large.test(table)) return;
  if (text.startsWith('DROP')) fail('migrations-only-add', `The version before uses ${table}.`);
  for (const [pattern, instead] of closed) if (pattern.test(text)) fail('migrations-only-add', instead);
}

function checkIndex({ text, fail }: Statement, isOutside: boolean, others: readonly string[]): void {
  const [, concurrently, name = '', table = ''] =
    /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+) ON (?:ONLY )?([\w.]+)/.exec(text) ??
    [];
  if (!concurrently && large.test(table))
    fail('indexes-are-built-beside-writes', `Nobody could write to ${table}: build ${name} CONCURRENTLY.`);
  if (!concurrently) return;
  if (!isOutside) fail('indexes-are-built-beside-writes', 'Begin the file with "-- Outside a transaction".');
  const isDropped = others.some((other) =>
    new RegExp(`^DROP INDEX CONCURRENTLY IF EXISTS \\w+\\.${name}$`).test(other),
  );
  if (!isDropped)
    fail(
      'indexes-are-built-beside-writes',
      `Drop ${name} CONCURRENTLY IF EXISTS before: a build that broke off leaves a broken one.`,
    );
}

function checkOutside({ text, fail }: Statement): void {
  if (!/^(?:CREATE|DROP) (?:UNIQUE )?INDEX CONCURRENTLY\b/.test(text))
    fail(
      'steps-can-be-repeated',
      'Outside a transaction there is nothing but indexes: anything else may stay half done.',
    );
}

const paths = globSync('{cell,control}/*.sql', { cwd: root }).map((path) => path.replaceAll('\\', '/'));
for (const path of paths.toSorted()) {
  const [, schema = '', number] = /^(\w+)\/(\d+)_/.exec(path) ?? [];
  if (Number(number) <= (before[schema] ?? 0)) continue;
  const source = readFileSync(join(root, path), 'utf8');
  const isOutside = outside.test(source);
  const statements = source
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter(Boolean);
  for (const text of statements) {
    const fail = (rule: string, problem: string) =>
      failures.push(`error ${rule}: ${path} "${text.slice(0, 60)}": ${problem}`);
    if (isOutside) checkOutside({ text, fail });
    checkTable({ text, fail });
    checkIndex({ text, fail }, isOutside, statements);
  }
}

for (const failure of failures) console.error(failure);
console.log(
  failures.length === 0
    ? `✔ ${paths.length} migrations can be applied while the version before serves`
    : `✘ ${failures.length} violations`,
);
process.exit(failures.length === 0 ? 0 : 1);
