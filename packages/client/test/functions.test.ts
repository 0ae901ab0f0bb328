import { expect, test } from 'vitest';
import { deploy } from '../../server/test/support/code/deploy.ts';
import { createClient } from '../src/index.ts';
import { openStage } from './suite/stage.ts';

const run = { 'X-Function-Run': '01' };

/** What the client makes of the answers to calls of a function. */
function calling(...answers: readonly Response[]) {
  const left = [...answers];
  return createClient({
    url: 'http://localhost',
    fetch: async () => left.shift() ?? Promise.reject(new TypeError('No more answers.')),
  }).functions.call('greet');
}

test.each([
  [Response.json({ hello: 1 }, { headers: run }), { hello: 1 }],
  [Response.json(null, { headers: run }), null],
  [new Response('hello', { headers: run }), 'hello'],
  // Looks like JSON, or like an answer of the service, and is neither.
  [new Response('12345678901234567890', { headers: run }), '12345678901234567890'],
  [Response.json({ success: true, orders: [1] }, { headers: run }), { success: true, orders: [1] }],
  [Response.json({ success: false, reason: 1 }, { headers: run }), { success: false, reason: 1 }],
  [Response.json({ success: true, warnings: 5 }, { headers: run }), { success: true, warnings: 5 }],
])('what a function returns is what the caller gets', async (answer, result) => {
  expect(await calling(answer)).toEqual(result);
});

test.each([
  [Response.json({ error: 'This is for admins.' }, { status: 403, headers: run }), 'This is for admins.'],
  [Response.json({ error: { message: 'No stock.', item: 7 } }, { status: 409, headers: run }), 'No stock.'],
  [Response.json({ success: false, error: 'Sold out.' }, { status: 409, headers: run }), 'Sold out.'],
  [Response.json({ message: 'Not today.' }, { status: 400, headers: run }), 'Not today.'],
  [new Response('Not today.', { status: 400, headers: run }), 'Not today.'],
  [new Response('<h1>Sorry</h1>', { status: 400, headers: run }), 'The function returned 400.'],
  [Response.json([1], { status: 418, headers: run }), 'The function returned 418.'],
  // The code of the service is not the function's to use.
  [
    Response.json(
      { success: false, error: { code: 'token_expired', message: 'Ha.' } },
      { status: 401, headers: run },
    ),
    'Ha.',
  ],
])('an error of the function says what it said', async (answer, message) => {
  const { status } = answer;
  const details = await answer.clone().text();
  const failure: unknown = await calling(answer).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'PlinthError', code: 'function_error', status, message });
  const { details: given } = failure as { details: unknown };
  expect(typeof given === 'string' ? given : JSON.stringify(given)).toEqual(details);
});

test('an error of the service keeps its code', async () => {
  const error = { code: 'function_failed', message: 'The function threw.', details: { run: '1' } };
  await expect(calling(Response.json({ success: false, error }, { status: 500 }))).rejects.toMatchObject({
    ...error,
    status: 500,
  });
});

test('a page of a proxy is not taken for what a function has returned', async () => {
  const page = new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } });
  await expect(calling(page)).rejects.toMatchObject({ code: 'invalid_answer', status: 200 });
});

test('a function is not executed again by itself', async () => {
  const again = () => Response.json('twice', { headers: run });
  await expect(calling(new Response('Down.', { status: 503, headers: run }), again())).rejects.toMatchObject({
    code: 'function_error',
    message: 'Down.',
  });
  const lost = () => Promise.reject(new TypeError('cut off'));
  let calls = 0;
  const { functions } = createClient({
    url: 'http://localhost',
    fetch: async () => ((calls += 1) === 1 ? lost() : again()),
  });
  await expect(functions.call('pay')).rejects.toMatchObject({ code: 'network_failed' });
  calls = 0;
  const key = undefined as unknown as string;
  await expect(functions.call('pay', {}, { idempotencyKey: key })).rejects.toMatchObject({
    code: 'network_failed',
  });
  calls = 0;
  expect(await functions.call('pay', {}, { idempotencyKey: 'order-1' })).toBe('twice');
  // It was not executed the first time.
  const busy = { success: false, error: { code: 'function_busy', message: 'Busy.' } };
  expect(await calling(Response.json(busy, { status: 503 }), again())).toBe('twice');
});

test('a function that answers 401 signs nobody out', async () => {
  const expires = new Date(Date.now() + 3_600_000).toISOString();
  const signedIn = { access_token: 'theirs', expires_at: expires, user: { id: '1', data: {} } };
  const { auth, functions } = createClient({
    url: 'http://localhost',
    fetch: async (input) =>
      (input as string).includes('/functions/')
        ? new Response('Wrong PIN.', { status: 401, headers: run })
        : Response.json({ success: true, data: signedIn }),
  });
  await auth.logIn({ email: 'ada@example.com', password: 'correct horse' });
  await expect(functions.call('unlock')).rejects.toMatchObject({ message: 'Wrong PIN.' });
  expect(auth.state.status).toBe('signed-in');
});

test('the client gets what a function returns, and knows whose error it is', async () => {
  await using open = await openStage({ overrides: { FUNCTIONS_SANDBOX: 'process' } });
  await deploy(open.t.projects[0].api, {
    'value.js': 'export default async (request) => ({ success: true, data: await request.json() })',
    'nothing.js': 'export default () => undefined',
    'text.js': `export default () => new Response('12345678901234567890')`,
    'refusal.js': `export default () =>
      Response.json({ success: false, error: { code: 'token_expired', message: 'No.' } }, { status: 401 })`,
    'broken.js': `export default () => { throw new Error('Oh.') }`,
  });
  const { functions } = createClient(open.stage);
  expect(await functions.call('value', { x: 1 })).toEqual({ success: true, data: { x: 1 } });
  expect(await functions.call('nothing')).toBe(null);
  expect(await functions.call('text')).toBe('12345678901234567890');
  await expect(functions.call('refusal')).rejects.toMatchObject({ code: 'function_error', message: 'No.' });
  await expect(functions.call('broken')).rejects.toMatchObject({ code: 'function_failed', status: 500 });
  await expect(functions.call('gone')).rejects.toMatchObject({ code: 'function_not_found' });
});
