// @postgres newest
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';

test.each([
  [['prject'], 'There is no "plinth prject". See: plinth --help'],
  [['project', 'renmae'], 'There is no "plinth project renmae". See: plinth --help'],
  [['dev', '--prot', '1'], "Unknown option '--prot'. See: plinth --help"],
  [['dev', 'here'], "Unexpected argument 'here'. See: plinth --help"],
  [['start', '--workers', 'many'], '--workers must be a number from 1 to 64, not "many". See: plinth --help'],
])('plinth %j is answered in one line', async (args, said) => {
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';
  const { code, stdout, stderr } = await new PlinthProcess(args, { DATABASE_URL }).ended;
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `${said}\n` });
});

test('a Node that is too old is told so, in one line', () => {
  const program = fileURLToPath(new URL('../../bin/plinth.js', import.meta.url));
  const pretend = "Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })";
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, program, 'dev'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^Plinth needs Node 24 or newer; this is 20\.19\.0\. .*\n$/);
});
