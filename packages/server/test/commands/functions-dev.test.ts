// @postgres newest
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { CodeFolder } from '../support/code/code-folder.ts';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';

test('plinth dev deploys the folder at every change, and prints what runs', async () => {
  await using folder = await CodeFolder.make({
    '.env': 'GREETING="Good day"\n# A comment\nFRONTEND_URL=https://app.example.com\nEMPTY=\n',
    'functions/hello.ts': `import type { Context } from '@plinth/runtime';
 import { name } from './parts/name.ts';
export default (_request: Request, ctx: Context) => {
  ctx.log.info('greeting', name);
  return \`\${ctx.config.get('GREETING')} \${name}\`;
};
`,
    'functions/parts/name.ts': `export const name: string = 'Ada';\n`,
  });
  await using dev = new PlinthProcess(['dev', '--port', '0', '--json'], {}, folder.path);
  const line = JSON.parse(await dev.untilPrinted('stdout', /^(.+)\n/)) as { baseUrl: string; apiKey: string };
  const api = new Client(line.baseUrl, { 'x-api-key': line.apiKey });
  const hello = async () => (await api.get('/functions/hello')).body;
  await dev.untilPrinted(
    'stderr',
    /Functions: version 1 is running, 1 function \(\+hello\), in \d+\.\d s\.\n/,
  );
  expect(dev.stderr).toContain('.env: 1 variable set for functions.\n.env: FRONTEND_URL was skipped. ');
  expect((await hello()).data).toBe('Good day Ada');
  await dev.untilPrinted('stderr', /hello {2}ok {2}200 {2}\d+ ms\n {2}info {3}greeting Ada\n/);

  await folder.write('functions/parts/name.ts', `export const name: string = 'Grace';\n`);
  await dev.untilPrinted('stderr', /Functions: version 2 is running, 1 function, in/);
  await folder.write('.env', 'GREETING=Hello\n');
  await expect.poll(async () => (await hello()).data).toBe('Hello Grace');

  await folder.write('functions/later.ts', 'export default () => {\n  throw new Error("Not yet.");\n};\n');
  await dev.untilPrinted('stderr', /Functions: version 3 is running, 2 functions \(\+later\)/);
  await api.get('/functions/later');
  await dev.untilPrinted(
    'stderr',
    /later {2}failed {2}\d+ ms\n {2}error {2}Error: Not yet\.\n {4}at .*functions\/later\.ts:2:\d+/,
  );

  await folder.write('functions/later.ts', 'export default () => {');
  await dev.untilPrinted('stderr', /^functions\/later\.ts:1:\d+: .+\.$/m);
  expect((await hello()).data).toBe('Hello Grace');
  await folder.remove('functions/later.ts');
  await dev.untilPrinted('stderr', /Functions: version 4 is running, 1 function \(-later\)/);

  // Other commands find the service by the folder.
  const invoked = await new PlinthProcess(['functions', 'invoke', 'hello'], {}, folder.path).ended;
  expect(invoked).toMatchObject({ code: 0, stdout: '"Hello Grace"\n' });
  expect((await dev.stop('SIGINT')).code).toBe(0);
});

test('a folder that is made later is deployed too', async () => {
  await using folder = await CodeFolder.make();
  await using dev = new PlinthProcess(['dev', '--port', '0', '--json'], {}, folder.path);
  await dev.untilPrinted('stdout', /^(.+)\n/);
  const made = await new PlinthProcess(['functions', 'new', 'hello'], {}, folder.path).ended;
  expect(made.stdout).toBe('Wrote functions/hello.ts. Deploy it: plinth functions deploy\n');
  await dev.untilPrinted('stderr', /Functions: version 1 is running, 1 function \(\+hello\)/);
  expect((await dev.stop('SIGINT')).code).toBe(0);
});
