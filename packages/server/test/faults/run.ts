// npm run test:faults -- [--install] [--list] [--postgres 15,17,18] [--times N] [name, or part of one …]
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { missesOf } from './bars.ts';
import { Cluster } from './cluster.ts';
import { installRelease, type PostgresVersion, postgresVersions } from './debian-releases.ts';
import { installPackages } from './install-packages.ts';
import { enterOwnNamespace } from './own-namespace.ts';
import { type FaultRun, lineOf, rowOf, withRows } from './report.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';

const page = fileURLToPath(new URL('../../../../docs/faults.md', import.meta.url));
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    install: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    /** Of clusters; the other faults have a PostgreSQL of their own. */
    postgres: { type: 'string', default: '15' },
    times: { type: 'string', default: '1' },
  },
});
const names = scenarios.map(({ name }) => name);
const isMeant = (name: string) => (word: string) =>
  names.includes(word) ? name === word : name.includes(word);
const chosen = scenarios.filter(({ name }) => wanted.length === 0 || wanted.some(isMeant(name)));
const times = Number(options.times);
if (chosen.length === 0) fail('No fault has such a name. --list prints all of them.');
if (!Number.isInteger(times) || times < 1) fail('--times takes a whole number from 1.');
const versions = options.postgres.split(',').map(versionOf);

if (options.list) {
  console.log(names.join('\n'));
  process.exit(0);
}
if (options.install) {
  installPackages();
  versions.forEach(installRelease);
}
const folder = await enterOwnNamespace();

const done = new Map<string, FaultRun[]>();
let hasMissed = false;
for (const version of versions) await runOnCluster(version);
for (const scenario of chosen) if (scenario.postgres !== 'any') await repeat(scenario, scenario.postgres);
// Whatever still runs ends with the namespace.
process.exit(hasMissed ? 1 : 0);

async function runOnCluster(version: PostgresVersion): Promise<void> {
  let starting: Promise<Cluster> | undefined;
  const cluster = () => (starting ??= Cluster.start(folder, version));
  for (const scenario of chosen) if (scenario.postgres === 'any') await repeat(scenario, version, cluster);
  await (await starting?.catch(() => undefined))?.[Symbol.asyncDispose]();
}

async function repeat(
  scenario: Scenario,
  postgres: PostgresVersion,
  cluster: () => Promise<Cluster> = () => Promise.reject(new Error('This fault has no cluster.')),
): Promise<void> {
  const { name, isMissing, run } = scenario;
  const missing = isMissing?.(postgres);
  if (missing !== undefined) {
    console.log(`| ${name} | not run: ${missing}`);
    return;
  }
  for (let time = 0; time < times; time += 1) {
    try {
      await note(name, { postgres, outcome: await run({ folder, cluster }) });
    } catch (error) {
      console.log(`| ${name} | failed:`, error);
      if (scenario.postgres === 'any')
        console.log((await cluster().catch(() => undefined))?.lastWords() ?? '');
      hasMissed = true;
    }
  }
}

/** Prints it, and adds it to the line of its fault. */
async function note(name: string, run: FaultRun): Promise<void> {
  console.log(lineOf(name, run));
  hasMissed ||= missesOf(run.outcome).length > 0;
  const runs = [...(done.get(name) ?? []), run];
  done.set(name, runs);
  const rows = new Map([[name, rowOf(name, runs)]]);
  await writeFile(page, withRows(await readFile(page, 'utf8'), names, rows));
}

function versionOf(word: string): PostgresVersion {
  const version = postgresVersions.find((known) => String(known) === word);
  return version ?? fail(`--postgres takes some of ${postgresVersions.join(',')}, not ${word}.`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(2);
}
