import { expect, test } from 'vitest';
import { inviteAccount, signInLinkFor } from '../../src/features/management/accounts/index.ts';
import { Dashboard, goodPassword, newManager, newProject } from '../support/management/dashboard.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

/** Sends the form of a page as a browser does. */
async function send(page: string, fields: Record<string, string>, site = 'same-origin') {
  const response = await fetch(`${t.url}/account/${page}`, {
    method: 'POST',
    headers: { 'sec-fetch-site': site, origin: t.url },
    body: new URLSearchParams(fields),
  });
  const [set] = response.headers.getSetCookie();
  return {
    status: response.status,
    text: await response.text(),
    person: new Dashboard(t.url, set?.split(';', 1)[0]),
  };
}

test('a page takes a link, and signs in once', async () => {
  const token = await signInLinkFor(t.control, 'ada@example.com');
  const page = await fetch(`${t.url}/account/sign-in?token=${token}`);
  expect(await page.text()).toContain(`value="${token}"`);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect((await send('sign-in', { token }, 'cross-site')).status).toBe(403);
  const done = await send('sign-in', { token });
  expect([done.status, done.text.includes('You are signed in')]).toEqual([200, true]);
  expect((await done.person.get('/account')).body.data.email).toBe('ada@example.com');
  const again = await send('sign-in', { token });
  expect([again.status, again.text.includes('role="alert"')]).toEqual([400, true]);
});

test('somebody joins with a new account, somebody else with the one they have', async () => {
  const owner = await newManager(t, 'owner@example.com');
  const { ref } = await newProject(owner);
  for (const email of ['new@example.com', 'known@example.com']) {
    if (email.startsWith('known')) await newManager(t, email);
    const invited = await owner.post(`/projects/${ref}/invitations`, { email });
    const token = new URL(String(invited.body.data.link)).searchParams.get('token') ?? '';
    const wrong = await send('join', { token, email: 'other@example.com', password: goodPassword });
    expect(wrong.status).toBe(400);
    const joined = await send('join', { token, email, password: goodPassword });
    expect([email, joined.status]).toEqual([email, 200]);
    expect((await joined.person.get(`/projects/${ref}`)).body.data.role).toBe('teammate');
  }
  const invitation = await inviteAccount(t.control, 'plain@example.com');
  const plain = await send('join', { token: invitation, email: 'plain@example.com', password: goodPassword });
  expect((await plain.person.get('/account')).body.data.email).toBe('plain@example.com');
});

test('a temporary project is kept by whoever claims it', async () => {
  const tool = await newManager(t, 'tool@example.com');
  const made = await tool.post('/projects', { name: 'trial', temporary: '14d' });
  const token = new URL(String(made.body.data.claimUrl)).searchParams.get('token') ?? '';
  const ada = await newManager(t, 'keeper@example.com');
  expect((await send('claim', { token, email: ada.email, password: 'not the one' })).status).toBe(401);
  expect((await send('claim', { token, email: ada.email, password: goodPassword })).status).toBe(200);
  const kept = await ada.get(`/projects/${made.body.data.ref}`);
  expect(kept.body.data).toMatchObject({ role: 'owner', name: 'trial' });
  expect(kept.body.data.expiresAt).toBeUndefined();
  expect((await tool.get(`/projects/${made.body.data.ref}`)).status).toBe(404);
});
