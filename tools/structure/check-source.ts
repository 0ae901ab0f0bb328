// What the direction of imports cannot tell: where SQL stands, who names which table, state that modules keep, and what
// handlers throw.
// Usage: node tools/structure/check-source.ts [folder of the repository]
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foreignTables, moduleState, plainHandlers } from './exceptions.ts';

const root = join(process.argv[2] ?? '.', 'packages/server/src');

interface Source {
  readonly path: string;
  readonly text: string;
}

const sources: Source[] = globSync('**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .toSorted()
  .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }));

const failures: string[] = [];
const fail = (rule: string, { path, text }: Source, at: number, problem: string) => {
  const line = text.slice(0, at).split('\n').length;
  failures.push(`error ${rule}: ${path}:${line} ${problem}`);
};

/** A folder that owns tables: that of a `tables.ts`. */
const ownerOf = new Map<string, string>();
for (const { path, text } of sources.filter((source) => source.path.endsWith('/tables.ts')))
  for (const [, name = ''] of text.matchAll(/\bname: '([a-z_]+\.[a-z_*]+)'/g))
    ownerOf.set(name, dirname(path));

const mayHoldSql =
  /(^|[/-])store\.ts$|\/tables\.ts$|^features\/data\/query\/|^features\/project-data\/|^platform\//;

/** SQL stands in stores, in the compiler of queries, and in the platform. */
function checkSqlPlaces(source: Source): void {
  const at = source.text.search(/\bsql(<[^>]*>)?`/);
  if (at !== -1 && !mayHoldSql.test(source.path))
    fail('sql-stands-in-stores', source, at, 'Move the statement to a store of the feature.');
}

const usedExceptions = new Set<string>();

/** A table is named by its owner only; other owners say what theirs rely on. */
function checkForeignTables(source: Source): void {
  if (source.path.endsWith('/tables.ts')) return;
  for (const match of source.text.matchAll(/\b(?:cell|control)\.[a-z_]+\b(?!\()/g)) {
    const [name] = match;
    const owner = ownerOf.get(name);
    if (owner === undefined || source.path.startsWith(`${owner}/`)) continue;
    const exception = `${source.path} ${name}`;
    if (Object.hasOwn(foreignTables, exception)) usedExceptions.add(exception);
    else fail('tables-are-named-by-their-owner', source, match.index, `${name} belongs to ${owner}.`);
  }
}

/** Things at module level that change while the process runs. What is made of constants, and never added to, is none. */
const kept = [
  /^(?:export )?let\b/gm,
  /^(?:export )?(?:const|var) [^;\n]*?=\s*new (?:Weak)?(?:Map|Set)(?:<[^;]*?>)?\(\s*\);/gm,
  /^(?:export )?(?:const|var) [^;\n]*?=\s*(?:\[\]|\{\});/gm,
  /^(?:export )?(?:const|var) [^;\n]*?=\s*new (?!(?:Map|Set|TextEncoder|TextDecoder|TypeOverrides|RegExp|URL|BlockList|Script|Mustache|Intl\.\w+)\b)\w+/gm,
];

function checkModuleState(source: Source): void {
  const places = new Set(
    kept.flatMap((pattern) => Array.from(source.text.matchAll(pattern), ({ index }) => index)),
  );
  if (Object.hasOwn(moduleState, source.path)) {
    if (places.size > 0) usedExceptions.add(source.path);
    return;
  }
  for (const at of places)
    fail('modules-keep-no-state', source, at, 'Make it a field of something that the node constructs.');
}

/** Where somebody calls back whom nothing catches: an emitter, or a timer. */
const callbacks = /\.(?:on|once)\(\s*'[^']+',\s*|(?<![.\w])set(?:Timeout|Interval)\(\s*/g;
/** Handlers that cannot fail. */
const harmless =
  /^(?:\(\) => \{\}|(?:\(\) => )?(?:resolve|reject)\b|\(\) => clear(?:Timeout|Interval)\(|\(\) => [\w.]+\.(?:destroy|terminate)\(|\(error\) => log\.\w+\()/;

/** What a handler of a socket, a stream or a timer throws would end the process. */
function checkHandlers(source: Source): void {
  if (!/^(?:platform|calls|features|node)\//.test(source.path)) return;
  const places = Array.from(source.text.matchAll(callbacks)).filter(({ 0: { length }, index }) => {
    const handler = source.text.slice(index + length);
    const name = /^\w+/.exec(handler)?.[0] ?? '';
    const isGuarded =
      /^(?:this\.#)?guarded\(/.test(handler) || source.text.includes(`const ${name} = guarded(`);
    return !isGuarded && !harmless.test(handler);
  });
  if (Object.hasOwn(plainHandlers, source.path)) {
    if (places.length > 0) usedExceptions.add(source.path);
    return;
  }
  for (const { index } of places)
    fail('handlers-are-guarded', source, index, 'Register the handler through guarded().');
}

for (const source of sources) {
  checkHandlers(source);
  checkSqlPlaces(source);
  checkForeignTables(source);
  checkModuleState(source);
}
const exceptions = Object.keys({ ...foreignTables, ...moduleState, ...plainHandlers });
if (process.argv[2] === undefined)
  for (const exception of exceptions.filter((known) => !usedExceptions.has(known)))
    failures.push(`error exceptions-get-fewer: "${exception}" is no longer needed: take it off the list.`);

for (const failure of failures) console.error(failure);
console.log(
  failures.length === 0
    ? `✔ ${sources.length} sources keep to their tables, keep no state and guard their handlers (${exceptions.length} exceptions)`
    : `✘ ${failures.length} violations`,
);
process.exit(failures.length === 0 ? 0 : 1);
