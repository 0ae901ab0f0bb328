// Prints docs/limits.md, made from the figures of tiers and the comments of limits in the code.
import { globSync, readFileSync } from 'node:fs';
import { errorCatalogue } from '../../packages/protocol/src/index.ts';
import { defaultTiers, tierFigures } from '../../packages/server/src/calls/index.ts';

interface Limit {
  readonly what: string;
  readonly value: string;
  readonly code: string;
  readonly topic: string;
}

/** A comment with `@limit <code> [bytes|ms|s]`, and the figure that it stands before. */
const tagged =
  /\/\*\*((?:(?!\*\/)[\s\S])*?)@limit (\w+|-)(?: (bytes|ms|s))?\s*\*\/\s*(?:export )?(?:const )?\w+(?:: [^=\n]+)??\s*[:=] ([\d_ *+-]+)/g;

const topics: readonly (readonly [path: RegExp, topic: string])[] = [
  [/protocol\/src\/query|data\/(query|links)\//, 'Queries'],
  [/calls\/budget/, 'One request'],
  [/features\/data\//, 'Collections, documents, rules'],
  [/features\/people\//, 'App users and messages'],
  [/features\/files\//, 'Files and images'],
  [/features\/live\//, 'Realtime'],
  [/features\/(deliveries|webhooks)\//, 'Webhooks'],
  [/features\/control\//, 'Projects'],
  [/./, 'Requests'],
];

function limitsIn(path: string): Limit[] {
  const topic = topics.find(([pattern]) => pattern.test(path))?.[1] ?? '';
  return Array.from(
    readFileSync(path, 'utf8').matchAll(tagged),
    ([, text = '', code = '', unit, figure = '']) => {
      if (code !== '-' && !Object.hasOwn(errorCatalogue, code))
        throw new Error(`${path}: there is no error ${code}.`);
      return { what: sentence(text), value: inWords(evaluate(figure), unit), code, topic };
    },
  );
}

/** The text of a comment on one line, without its last full stop. */
function sentence(text: string): string {
  return text
    .replace(/^\s*\*/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '');
}

/** A product or sum of figures, as it is written in the code. */
function evaluate(figure: string): number {
  const sum = figure.replaceAll('_', '').split('+');
  return sum.reduce(
    (total, part) => total + part.split('*').reduce((product, one) => product * Number(one), 1),
    0,
  );
}

function inWords(value: number, unit?: string): string {
  if (unit === 'bytes' && value % 1_073_741_824 === 0) return `${value / 1_073_741_824} GB`;
  if (unit === 'bytes' && value % 1_048_576 === 0) return `${value / 1_048_576} MB`;
  if (unit === 'bytes' && value % 1024 === 0) return `${value / 1024} KB`;
  if (unit === 'ms' && value % 1000 === 0) return `${value / 1000} s`;
  return `${value.toLocaleString('en')}${unit === undefined ? '' : ` ${unit}`}`;
}

const inBytes = (name: string) => name.toLowerCase().endsWith('bytes');
const tierRows = tierFigures.map(([name, what]) => {
  const values = Object.values(defaultTiers).map((limits) => {
    const value = limits[name];
    return value === null ? 'none' : inWords(value, inBytes(name) ? 'bytes' : undefined);
  });
  return `| \`${name}\` | ${what} | ${values.join(' | ')} |`;
});

const limits = globSync('packages/{protocol,server}/src/**/*.ts').toSorted().flatMap(limitsIn);
const byTopic = Map.groupBy(limits, ({ topic }) => topic);
const order = ['Requests', 'One request', ...topics.map(([, topic]) => topic)];
const sections = [...new Set(order)].flatMap((topic) => {
  const rows = (byTopic.get(topic) ?? []).map(
    ({ what, value, code }) => `| ${what} | ${value} | ${code === '-' ? '' : `\`${code}\``} |`,
  );
  return rows.length === 0
    ? []
    : [`### ${topic}\n\n| limit | value | error |\n| --- | --- | --- |\n${rows.join('\n')}\n`];
});

process.stdout.write(`# Limits

Projects share nodes and databases. Limits keep one caller from affecting the others. Errors say which limit was reached and what to do.

## Quotas by tier

Quotas depend on the project's tier. The operator sets them with \`TIERS\` (see [configuration.md](configuration.md)); these are the defaults. A request that would exceed a quota fails with \`quota_exceeded\` (403) and \`details: {quota, limit, used}\`; for files with \`storage_full\` and \`file_too_large\`, for requests per minute with \`rate_limited\`. \`GET /usage\` (API key) shows current usage.

| quota | meaning | ${Object.keys(defaultTiers).join(' | ')} |
| --- | --- |${' --- |'.repeat(Object.keys(defaultTiers).length)}
${tierRows.join('\n')}

Quotas apply across all nodes. They are never exceeded; a project on several nodes may be rejected up to one percent early.

## Limits for every project

These are the same for every tier and protect the service.

${sections.join('\n')}
Generated from the code by \`npm run docs:limits\`.
`);
