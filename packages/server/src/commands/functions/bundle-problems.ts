import { relative, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { RolldownLog } from 'rolldown';
import type { CodeProblem } from './code-problems.ts';

/** What the bundler says, as a place and a plain sentence each. */
export function bundleProblems(logs: readonly RolldownLog[], root: string): CodeProblem[] {
  return logs.map((log) => ({ place: placeOf(log, root), message: sentence(log) }));
}

function placeOf({ loc, id }: RolldownLog, root: string): string | undefined {
  const file = loc?.file ?? id;
  if (file === undefined) return undefined;
  const shown = relative(root, file).split(sep).join('/');
  return loc ? `${shown}:${loc.line}:${loc.column + 1}` : shown;
}

function sentence(log: RolldownLog): string {
  const [first = ''] = stripVTControlCharacters(log.message)
    .replace(/^\s*\[[A-Z_]+\]\s*/, '')
    .split('\n', 1);
  const text = first.trim();
  if (log.code === 'UNRESOLVED_IMPORT') return notFound(/'([^']+)'/.exec(text)?.[1] ?? '');
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function notFound(name: string): string {
  if (/^[./]/.test(name)) return `There is no file "${name}".`;
  if (/^(?:npm|jsr|https?):/.test(name))
    return `"${name}" cannot be imported by URL. Install the package and import it by name.`;
  const [scope = '', rest] = name.split('/');
  const wanted = scope.startsWith('@') && rest !== undefined ? `${scope}/${rest}` : scope;
  return `The package "${wanted}" is not installed. Run: npm install ${wanted}`;
}
