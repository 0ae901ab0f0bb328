// @postgres newest
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseScaleOptions } from '../../../../bench/scale/options.ts';
import { usualEquipment, usualWorkload } from '../../../../bench/scale/workload.ts';
import { repository } from '../support/markdown.ts';

test('without options everything is as usual', () => {
  expect(parseScaleOptions([])).toEqual({ workload: usualWorkload, equipment: usualEquipment });
});

test('each option changes what it names', () => {
  const { workload, equipment } = parseScaleOptions([
    '--projects',
    '50_000',
    '--reads=0.9',
    '--cell-cores',
    '16',
  ]);
  expect(workload).toEqual({ ...usualWorkload, projects: 50_000, reads: 0.9 });
  expect(equipment).toEqual({ ...usualEquipment, cellCores: 16 });
});

test.each([
  [['--project', '5'], /Unknown option '--project'.*--projects/],
  [['--projects', 'many'], /--projects takes a number, not "many"/],
  [['--projects', ''], /--projects takes a number/],
  [['--projects', '0'], /--projects must be between 1 and/],
  [['--projects', '1.5'], /--projects takes a whole number/],
  [['--reads', '80'], /--reads must be between 0 and 1, not 80/],
  [['--load', '1'], /--load must be between 0.01 and 0.99/],
  [['100'], /Unexpected argument '100'/],
  [['--reads'], /--reads/],
])('%j is a mistake that is named', (args, expected) => {
  expect(() => parseScaleOptions(args)).toThrow(expected);
});

test('the command says what is wrong without a stack, and prints a plan', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--conditions=@plinth/source', `${repository}bench/simulate.ts`, ...args], {
      encoding: 'utf8',
    });
  const wrong = run('--reads', '80');
  expect(wrong).toMatchObject({
    status: 1,
    stdout: '',
    stderr: '--reads must be between 0 and 1, not 80.\n',
  });
  const { status, stdout } = run('--projects', '1000', '--requests', '1000');
  expect(status).toBe(0);
  expect(stdout).toContain('1,000 projects, 1,000 requests a second');
  expect(stdout).toContain('| connections to a cell |');
});
