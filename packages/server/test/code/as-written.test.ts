// @postgres newest
import { expect, test } from 'vitest';
import { deploy } from '../support/code/deploy.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });
/** Not by its name alone: its types are those of a browser. */
const runtime = '@plinth/runtime';

test('a module in TypeScript runs as it was written, and its errors name its lines', async () => {
  const { api } = await t.createProject();
  const deployed = await deploy(api, {
    'total.ts': `import type { Context } from '${runtime}';
interface Line { readonly price: number }
export const access: 'server' | 'public' = 'public';
export default async (request: Request, ctx: Context) => {
  const lines = (await request.json()) as readonly Line[];
  if (lines.length === 0) throw new RangeError('There are no lines.');
  return lines.reduce((sum: number, { price }) => sum + price, 0);
};`,
    'night.ts': `import { schedule, type RunEvent } from '${runtime}';
export default schedule('0 3 * * *', { timeZone: 'Europe/Berlin' }, (event: RunEvent) => {});`,
  });
  expect(deployed.body.data.functions).toMatchObject([
    { name: 'total', file: 'total.ts', kind: 'http', access: 'public' },
    { name: 'night', kind: 'schedule', cron: '0 3 * * *', options: { timeZone: 'Europe/Berlin' } },
  ]);
  expect((await api.post('/functions/total', [{ price: 2 }, { price: 3 }])).body.data).toBe(5);
  const failed = await api.post('/functions/total', []);
  expect(failed.body.error.details.error.stack).toMatch(/total\.ts:6:/);
});

test('all of @plinth/runtime is there to import', async () => {
  const { api } = await t.createProject();
  await deploy(api, {
    'names.js': `import * as runtime from '${runtime}'; export default () => Object.keys(runtime)`,
  });
  const names = Object.keys((await import(runtime)) as object);
  expect((await api.get('/functions/names')).body.data.toSorted()).toEqual(names.toSorted());
});

test('a mistake in TypeScript is told with its place, and two files have not the same name', async () => {
  const { api } = await t.createProject();
  const wrong = await deploy(api, { 'wrong.ts': 'export default () => 1;\nconst a: = 1;' });
  expect(wrong.body.error).toMatchObject({ code: 'deploy_failed' });
  expect(wrong.body.error.message).toContain('wrong.ts:2:10');
  const twice = await deploy(api, { 'a.js': 'export default () => 1', 'a.ts': 'export default () => 2' });
  expect(twice.body.error.message).toContain('a.ts: a.js has the same name.');
});

test('the files of a version can be read, and deployed again with another text', async () => {
  const { api } = await t.createProject();
  const files = { 'one.ts': 'export default (): number => 1', 'two.js': 'export default () => 2' };
  const maps = { 'two.js.map': JSON.stringify({ version: 3, sources: [], names: [], mappings: '' }) };
  const entries = ['one.ts', 'two.js'];
  await api.post('/deployments', { files, maps, entries, note: 'First' });
  const { body } = await api.get('/deployments/1/files');
  expect(body.data).toEqual({ version: 1, files, maps, entries, note: 'First' });
  const { version: _version, ...kept } = body.data;
  const changed = { ...files, 'one.ts': 'export default (): number => 11' };
  expect((await api.post('/deployments', { ...kept, files: changed })).body.data.version).toBe(2);
  expect((await api.get('/functions/one')).body.data).toBe(11);
  expect((await api.get('/functions/two')).body.data).toBe(2);
  expect((await api.get('/deployments/9/files')).body.error.code).toBe('deployment_not_found');
  const [other] = t.projects;
  expect((await other.api.get('/deployments/1/files')).status).toBe(404);
});
