// @postgres newest
import { expect, test } from 'vitest';
import { runProjectCommand } from '../../src/commands/project.ts';
import { UsageError } from '../../src/commands/usage.ts';

import { newProjectRef } from '../../src/platform/crypto/secrets.ts';
import { AppError } from '../../src/platform/errors.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

const run = (...args: string[]) => runProjectCommand(t.config, args);

interface Mistake {
  /** REF stands for a project there is, NONE for one there is not. */
  readonly args: readonly string[];
  readonly said: RegExp;
}

/** The command line is not complete: the usage is shown with it. */
const incomplete: Mistake[] = [
  { args: [], said: /needs an action/ },
  { args: ['rename', 'REF'], said: /There is no "plinth project rename"/ },
  { args: ['create'], said: /A name is missing/ },
  { args: ['show'], said: /A ref is missing/ },
  { args: ['regenerate-key'], said: /A ref is missing/ },
  { args: ['set-tier', 'REF'], said: /A tier is missing/ },
  { args: ['set-origins'], said: /A ref is missing/ },
  { args: ['set-response-format', 'REF'], said: /missing/ },
  { args: ['delete', '--yes'], said: /A ref is missing/ },
  { args: ['delete', 'REF'], said: /Add --yes/ },
];

/** The command line is understood, and cannot be carried out. */
const impossible: Mistake[] = [
  { args: ['create', '  '], said: /1 to 100 characters/ },
  { args: ['create', 'n'.repeat(101)], said: /1 to 100 characters/ },
  { args: ['create', 'x', '--tier', 'gold'], said: /"gold" is not a tier.*free, standard, pro, enterprise/ },
  { args: ['show', 'NONE'], said: /There is no project "\w+".*plinth project list/ },
  { args: ['show', "x' OR 1=1 --"], said: /There is no project/ },
  { args: ['regenerate-key', 'NONE'], said: /There is no project/ },
  { args: ['set-tier', 'NONE', 'free'], said: /There is no project/ },
  { args: ['set-tier', 'REF', 'Free'], said: /"Free" is not a tier/ },
  { args: ['set-tier', 'REF', 'free', '--rate-limit', '1.5'], said: /--rate-limit must be an integer/ },
  { args: ['set-tier', 'REF', 'free', '--rate-limit', '0'], said: /--rate-limit must be an integer/ },
  { args: ['set-origins', 'NONE', 'https://a.example'], said: /There is no project/ },
  { args: ['set-origins', 'REF', '*'], said: /wildcard \* is not supported/ },
  { args: ['set-origins', 'REF', 'https://a.example/'], said: /"https:\/\/a\.example\/" is not an origin/ },
  { args: ['set-origins', 'REF', 'a.example'], said: /is not an origin/ },
  { args: ['set-origins', 'REF', 'https://*.example'], said: /is not an origin/ },
  { args: ['set-origins', 'REF', 'null'], said: /is not an origin/ },
  { args: ['set-origins', 'REF', 'https://a.example', 'x'], said: /"x" is not an origin/ },
  { args: ['set-response-format', 'REF', 'xml'], said: /envelope or bare/ },
  { args: ['delete', 'NONE', '--yes'], said: /There is no project/ },
];

const cases = [
  ...incomplete.map((mistake) => ({ ...mistake, kind: UsageError, line: mistake.args.join(' ') })),
  ...impossible.map((mistake) => ({ ...mistake, kind: AppError, line: mistake.args.join(' ') })),
];

test.each(cases)(
  'plinth project $line is told to be wrong, and changes nothing',
  async ({ args, said, kind }) => {
    const before = await run('list', '--json');
    const given = args.map((arg) =>
      arg === 'REF' ? t.projects[0].ref : arg === 'NONE' ? newProjectRef() : arg,
    );
    const failed = await run(...given).then(
      (text) => new Error(`It went through: ${text}`),
      (error: Error) => error,
    );
    expect(failed.message).toMatch(said);
    expect(failed).toBeInstanceOf(kind);
    expect(await run('list', '--json')).toBe(before);
  },
);
