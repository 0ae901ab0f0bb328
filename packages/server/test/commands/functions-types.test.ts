// @postgres newest
import { expect, test } from 'vitest';
import { CodeFolder } from '../support/code/code-folder.ts';
import { PlinthProcess } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

const schema = {
  type: 'object',
  required: ['total'],
  properties: { total: { type: 'number' }, status: { enum: ['open', 'paid'] } },
};

test('plinth types --functions makes ctx.db know the project, in functions and in their tests', async () => {
  const { ref, apiKey, api } = await t.createProject();
  await api.post('/collections', { name: 'orders', settings: { schema } });
  await using folder = await CodeFolder.make({
    'package.json': '{"type":"module"}',
    'functions/total.ts': `import { type Context, onCreate, schedule, task } from '@plinth/runtime';
 import { testProject } from '@plinth/runtime/testing';
export default async (_request: Request, ctx: Context) => {
  const order = await ctx.db.collection('orders').get('1');
  const total: number = order.total;
  // @ts-expect-error -- there is no such field
  order.totall;
  // @ts-expect-error -- there is no such collection
  ctx.db.collection('order');
  // @ts-expect-error -- there is no such value
  await ctx.db.collection('orders').update('1', { status: 'payed' });
  return total;
};
export const hook = onCreate('orders', async (_event, ctx) => {
  // @ts-expect-error -- there is no such field
  (await ctx.db.collection('orders').get('1')).totall;
});
export const night = schedule('0 3 * * *', {}, async (_event, ctx) => {
  // @ts-expect-error -- there is no such collection
  ctx.db.as('1').collection('order');
});
export const later = task<{ id: string }>(async ({ payload }, ctx) => {
  // @ts-expect-error -- there is no such field
  (await ctx.db.collection('orders').get(payload.id)).totall;
});
const project = await testProject();
// @ts-expect-error -- there is no such collection
project.db.collection('order');
`,
  });
  const environment = { PLINTH_URL: `${t.url}/p/${ref}`, PLINTH_API_KEY: apiKey };
  const args = ['types', '--functions', '--out', 'functions/_project.ts'];
  const written = await new PlinthProcess(args, environment, folder.path).ended;
  expect(written).toMatchObject({
    code: 0,
    stdout: 'Wrote functions/_project.ts with the types of 1 collection.\n',
  });
  expect(await folder.checkTypes()).toBe('');
  // The file is what makes the difference.
  await folder.remove('functions/_project.ts');
  await folder.remove('node_modules');
  expect((await folder.checkTypes()).match(/TS2578/g)).toHaveLength(7);
});
