// Writes the tables of docs/scale.md, which are made from bench/units.json, or prints the page with them.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pageTables } from '../../bench/scale/tables.ts';
import { readUnits } from '../../bench/scale/units.ts';

const page = fileURLToPath(new URL('../../docs/scale.md', import.meta.url));

let text = readFileSync(page, 'utf8');
for (const [name, content] of Object.entries(pageTables(readUnits()))) {
  const [open, close] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
  const [before, rest] = text.split(open);
  const after = rest?.split(close)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/scale.md has no place for ${name}.`);
  text = `${before}${open}${content}${close}${after}`;
}
if (process.argv.includes('--print')) process.stdout.write(text);
else writeFileSync(page, text);
