// Writes the table of metrics into docs/monitoring.md, or prints the page with it. Nothing connects: a node that was never
// started knows all of its metrics.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createNode } from '../../packages/server/src/node/node.ts';
import { parseConfig } from '../../packages/server/src/platform/config/config.ts';

const page = fileURLToPath(new URL('../../docs/monitoring.md', import.meta.url));
const marks = ['<!-- metrics -->\n', '<!-- end of metrics -->'] as const;

const node = await createNode(
  parseConfig({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    SECRET_KEY: 'x'.repeat(32),
    FILES_FOLDER: 'none',
    LOG_LEVEL: 'fatal',
  }),
);
const scopes = { process: 'each', node: 'sum', service: 'the same' };
const rows = node.metrics.described
  .toSorted((one, two) => (one.name < two.name ? -1 : 1))
  .map(({ name, type, labels, scope, help }) => {
    const named = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${named || '–'} | ${scopes[scope]} | ${help} |`;
  });
const table = [
  '| metric | type | labels | processes | meaning |',
  '| --- | --- | --- | --- | --- |',
  ...rows,
].join('\n');
const text = readFileSync(page, 'utf8');
const [before, rest] = text.split(marks[0]);
const after = rest?.split(marks[1])[1];
if (before === undefined || after === undefined)
  throw new Error('docs/monitoring.md has no place for metrics.');
const made = `${before}${marks[0]}${table}\n${marks[1]}${after}`;
if (process.argv.includes('--print')) process.stdout.write(made);
else writeFileSync(page, made);
process.exit(0);
