import { expect, test } from 'vitest';
import { inOneWindow } from '../../support/calls/rate-window.ts';
import { Client } from '../../support/client.ts';
import { newEmail } from '../../support/people/people.ts';
import { testApp } from '../../support/test-app.ts';

const password = 'correct horse';

test('with the API key sign-up and login are counted per account, not per address', async () => {
  await using t = await testApp({ AUTH_ADDRESS_LIMIT: '2', AUTH_ACCOUNT_LIMIT: '3' });
  const emails = Array.from({ length: 5 }, () => newEmail());
  for (const email of emails) {
    expect((await t.api.post('/auth-collections/signup', { email, password })).status).toBe(201);
    expect((await t.api.post('/auth-collections/login', { email, password })).status).toBe(200);
  }
  const [email] = emails;
  const tries = await inOneWindow(20_000, () =>
    Promise.all(
      Array.from({ length: 5 }, () =>
        t.api.post('/auth-collections/login', { email, password: 'wrong one' }),
      ),
    ),
  );
  expect(tries.map(({ status }) => status)).toContain(429);
  const door = new Client(`${t.url}/p/${t.projects[0].ref}`);
  const anonymous = await inOneWindow(20_000, () =>
    Promise.all(emails.map((email) => door.post('/auth-collections/login', { email, password }))),
  );
  expect(anonymous.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(3);
});
