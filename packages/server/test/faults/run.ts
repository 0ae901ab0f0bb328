// npm run test:faults -- [--install] [--list] [name, or part of one …]
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { missesOf } from './bars.ts';
import { Cluster } from './cluster.ts';
import { installPackages } from './install-packages.ts';
import { enterOwnNamespace } from './own-namespace.ts';
import { lineOf, rowOf, withRows } from './report.ts';
import { scenarios } from './scenarios.ts';

const page = fileURLToPath(new URL('../../../../docs/faults.md', import.meta.url));
const given = process.argv.slice(2);
const names = scenarios.map(({ name }) => name);
const wanted = given.filter((word) => !word.startsWith('--'));
const isMeant = (name: string) => (word: string) =>
  names.includes(word) ? name === word : name.includes(word);
const chosen = scenarios.filter(({ name }) => wanted.length === 0 || wanted.some(isMeant(name)));

if (given.includes('--list')) {
  console.log(names.join('\n'));
  process.exit(0);
}
if (given.includes('--install')) installPackages();
const folder = await enterOwnNamespace();

let starting: Promise<Cluster> | undefined;
const cluster = () => (starting ??= Cluster.start(`${folder}/cluster`));
let hasMissed = false;
for (const { name, isMissing, run } of chosen) {
  const missing = isMissing?.();
  if (missing !== undefined) {
    console.log(`| ${name} | not run: ${missing}`);
    continue;
  }
  try {
    const outcome = await run({ folder, cluster });
    console.log(lineOf(name, outcome));
    hasMissed ||= missesOf(outcome).length > 0;
    const rows = new Map([[name, rowOf(name, outcome)]]);
    await writeFile(page, withRows(await readFile(page, 'utf8'), names, rows));
  } catch (error) {
    console.log(`| ${name} | failed:`, error);
    console.log((await starting?.catch(() => undefined))?.lastWords() ?? '');
    hasMissed = true;
  }
}
// Whatever still runs ends with the namespace.
process.exit(hasMissed ? 1 : 0);
