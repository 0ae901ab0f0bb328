// Prints docs/cli.md, generated from what `plinth --help` says.
import { usage } from '../../packages/server/src/commands/usage.ts';

/** What each paragraph of the help is about, and where to read on: found by the first command in it. */
const sections: Readonly<Record<string, readonly [title: string, read: string]>> = {
  init: ['A starter app', '[Install](install.md#a-starter-app)'],
  dev: ['On your machine', '[Projects](projects.md#on-your-machine-plinth-dev)'],
  start: [
    'Running a deployment',
    '[Deploying](deploy.md), [`plinth doctor`](doctor.md), [upgrading](upgrade.md), [backups](backup.md)',
  ],
  login: ['Logging in to a deployment', '[Managing projects](management.md)'],
  'project create': ['Projects', '[Projects](projects.md), [API keys](keys.md)'],
  'account invite': ['Accounts', '[Accounts](projects.md#accounts)'],
  'keys rotate': ['Signing keys', '[Projects](projects.md#in-production)'],
  'jobs list': ['Jobs', '[Projects](projects.md#in-production)'],
  types: ['Types', '[The TypeScript client](client.md#types)'],
  pull: ['Configuration as code', '[Configuration as code](config-as-code.md)'],
  'functions deploy': ['Functions', '[Functions](functions.md)'],
  '--version,': ['Version and help', ''],
};

interface Row {
  text: string;
  meaning: string;
}

/** A command or option at the start of a line, and its meaning after two spaces or more; what is indented deeply goes on. */
function rowsOf(paragraph: string): Row[] {
  const rows: Row[] = [];
  for (const line of paragraph.split('\n')) {
    const [, text = '', meaning = ''] = /^ {2,6}(\S.*?)(?: {2,}(\S.*))?$/.exec(line) ?? [];
    const last = rows.at(-1);
    if (text !== '') rows.push({ text, meaning });
    else if (last !== undefined) last.meaning = `${last.meaning} ${line.trim()}`.trim();
  }
  return rows;
}

const escaped = (text: string) => text.replaceAll('|', '\\|');

function sectionOf(paragraph: string): string {
  const rows = rowsOf(paragraph);
  const first = rows[0]?.text.replace(/^plinth /, '') ?? '';
  const name = Object.keys(sections).find((one) => `${first} `.startsWith(`${one} `));
  const isOptions = first.startsWith('--url');
  const table = rows.map(
    ({ text, meaning }) =>
      `| ${text.startsWith('--') && !isOptions ? '&emsp;' : ''}\`${escaped(text)}\` | ${escaped(codeIn(meaning))} |`,
  );
  const body = `| command, option | meaning |\n| --- | --- |\n${table.join('\n')}\n`;
  if (isOptions) return `### Which project\n\n${body}`;
  const [title, read] = (name === undefined ? undefined : sections[name]) ?? [];
  if (title === undefined) throw new Error(`tools/docs/print-cli.ts has no title for "plinth ${first}".`);
  return `## ${title}\n\n${body}${read === '' ? '' : `\nMore: ${read}.\n`}`;
}

/** Names that stand for something, and variables, are code. */
function codeIn(text: string): string {
  return text.replace(/<[\w ]+>|\b[A-Z]+_[A-Z_]+(=\w+)?/g, '`$&`').replaceAll('**', '\\*\\*');
}

const [, ...paragraphs] = usage.split('\n\n');
const about = codeIn((paragraphs.pop() ?? '').replaceAll('\n', ' ')).replace(
  'docs/configuration.md',
  '[configuration](configuration.md)',
);

process.stdout.write(`# Command line

\`plinth\` starts the service, and manages it. \`plinth --help\` prints what is on this page; [notation](notation.md) explains it.

${about}

${paragraphs.map(sectionOf).join('\n')}
Generated from \`packages/server/src/commands/usage.ts\` by \`npm run docs:cli\`.
`);
