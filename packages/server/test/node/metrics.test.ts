// @postgres newest
import { expect, test } from 'vitest';
import { Client } from '../support/client.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();
const metrics = async () => (await t.admin.get('/metrics')).text;
const valueOf = (text: string, series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  );

test('calls are counted by route, method, status and error code, and timed', async () => {
  const { api, ref } = await t.createProject();
  await api.post('/collections', { name: 'books' });
  for (let n = 0; n < 5; n += 1) await api.post('/collections/books', { title: `Book ${n}` });
  expect((await api.get('/collections/books/none')).status).toBe(404);
  expect((await t.anonymous.get('/no-such-path')).status).toBe(404);
  const route = 'route="/collections/:collection",method="POST"';
  const series = `plinth_http_requests_total{${route},status="201"}`;
  await expect.poll(async () => valueOf(await metrics(), series)).toBeGreaterThanOrEqual(5);
  const text = await metrics();
  expect(valueOf(text, `plinth_http_request_seconds_count{${route}}`)).toBeGreaterThanOrEqual(5);
  expect(text).toMatch(/^plinth_http_errors_total\{code="document_not_found"\} [1-9]/m);
  expect(text).toMatch(/^plinth_http_requests_total\{route="unknown",method="GET",status="404"\} [1-9]/m);
  expect(valueOf(text, `plinth_project_calls_per_second{project="${ref}"}`)).toBeGreaterThan(0);
  expect(valueOf(text, `plinth_project_database_seconds_per_second{project="${ref}"}`)).toBeGreaterThan(0);
  expect(text).toMatch(/^plinth_http_bytes_total\{direction="out",kind="other"\} [1-9]/m);
});

test('databases, caches, the process and the parts of the service are there from the beginning', async () => {
  const text = await metrics();
  expect(text).toMatch(/^plinth_pool_connections\{cell="1",pool="shared",state="(idle|busy)"\} \d+$/m);
  expect(text).toMatch(/^plinth_statement_seconds_count\{statement="unnamed"\} [1-9]/m);
  expect(text).toMatch(/^plinth_shared_statement_members_count [1-9]/m);
  expect(text).toMatch(/^plinth_pool_wait_seconds_count\{cell="1",pool="shared"\} [1-9]/m);
  expect(text).toMatch(/^plinth_cache_lookups_total\{cache="project",result="hit"\} [1-9]/m);
  for (const cell of [1, 2])
    await expect.poll(metrics).toContain(`\nplinth_listener_current{cell="${cell}"} 1\n`);
  expect(text).toMatch(/^plinth_process_memory_bytes\{kind="heap_used"\} \d{6,}$/m);
  expect(text).toMatch(/^plinth_event_loop_delay_p99_seconds \d+(\.\d+)?$/m);
  expect(text).toMatch(/^plinth_build_info\{version="[^"]+",node="24[^"]*"\} 1$/m);
  expect(text).toContain('\nplinth_draining 0\n');
  expect(text).toMatch(/^plinth_change_feed_held\{cell="1"\} 1$/m);
});

test('sign-ins are counted by what became of them', async () => {
  const { api } = await t.createProject();
  const user = { email: 'ada@example.com', password: 'correct horse battery' };
  await api.post('/auth-collections/signup', user);
  const before = await metrics();
  expect((await api.post('/auth-collections/login', user)).status).toBe(200);
  expect((await api.post('/auth-collections/login', { ...user, password: 'wrong horse' })).status).toBe(401);
  const count = async (result: string) =>
    valueOf(await metrics(), `plinth_sign_ins_total{result="${result}"}`);
  await expect.poll(() => count('invalid_login')).toBeGreaterThanOrEqual(1);
  expect(await count('started')).toBeGreaterThan(
    valueOf(before, 'plinth_sign_ins_total{result="started"}') || 0,
  );
});

test('Prometheus may ask for OpenMetrics, and no label holds what a caller wrote', async () => {
  await t.api.get('/collections/secret-name-of-a-collection?filters=x');
  const open = await new Client(t.app.adminUrl!, {
    accept: 'application/openmetrics-text;version=1.0.0',
  }).get('/metrics');
  expect(open.headers.get('content-type')).toMatch('application/openmetrics-text');
  expect(open.text.endsWith('# EOF\n')).toBe(true);
  expect(open.text).toContain('# TYPE plinth_http_requests counter\n');
  expect(open.text).not.toContain('secret-name');
});
