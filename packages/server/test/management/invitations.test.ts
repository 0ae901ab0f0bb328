import { expect, test } from 'vitest';
import { sql } from '../../src/platform/db/sql.ts';
import { Dashboard, goodPassword, newManager, newProject, tokenOf } from '../support/management/dashboard.ts';
import { useMailApp } from '../support/people/mail-app.ts';

const t = useMailApp();

/** What the link in the latest mail to an address carries. */
async function tokenTo(email: string, subject: RegExp): Promise<string> {
  const mail = await t.mail.until((one) => one.to.includes(email) && subject.test(one.subject));
  const [, token = ''] = /\?token=([\w-]+)/.exec(mail.text) ?? [];
  return token;
}

test('an invitation waits for a sign-up, is accepted once, and only by whom it was sent to', async () => {
  const ada = await newManager(t, 'ada@example.com');
  const { ref } = await newProject(ada, 'The shop');
  const invited = await ada.post(`/projects/${ref}/invitations`, { email: 'Grace@example.com' });
  expect([invited.status, invited.body.data.link]).toEqual([201, undefined]);
  const token = await tokenTo('Grace@example.com', /invited you to a project: The shop/);
  const nobody = new Dashboard(t.url);
  const told = await nobody.post('/invitations/look-up', { token });
  expect(told.body.data).toMatchObject({ project: { ref, name: 'The shop' }, invitedBy: 'ada@example.com' });
  const eve = await newManager(t, 'eve@example.com');
  const others = await eve.post('/invitations/accept', { token });
  expect([others.status, others.body.error.code]).toEqual([403, 'invitation_for_another']);
  // The link shows that the address is hers: no other mail is needed.
  const grace = new Dashboard(t.url);
  const joined = await grace.post('/accounts', {
    email: 'grace@example.com',
    password: goodPassword,
    invitation: token,
  });
  expect([joined.status, joined.body.data.email_verified]).toEqual([201, true]);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      new Dashboard(t.url, grace.cookie).post('/invitations/accept', { token }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await grace.get(`/projects/${ref}`)).body.data.role).toBe('teammate');
  expect((await ada.get(`/projects/${ref}/invitations`)).body.data).toEqual([]);
});

test('an invitation that was taken back, or mailed anew, does not work any more', async () => {
  const ada = await newManager(t, 'owner@example.com');
  const { ref } = await newProject(ada, 'Second');
  const mate = await newManager(t, 'mate@example.com');
  const made = await ada.post(`/projects/${ref}/invitations`, { email: mate.email });
  const first = await tokenTo(mate.email, /Second/);
  for (let more = 0; more < 4; more += 1)
    expect((await ada.post(`/projects/${ref}/invitations/${made.body.data.id}/resend`)).status).toBe(200);
  const tooOften = await ada.post(`/projects/${ref}/invitations/${made.body.data.id}/resend`);
  expect(tooOften.body.error.code).toBe('too_many_invitations');
  expect((await mate.post('/invitations/accept', { token: first })).body.error.code).toBe(
    'invitation_not_found',
  );
  const [own] = (await mate.get('/invitations')).body.data;
  await ada.delete(`/projects/${ref}/invitations/${own.id}`);
  expect((await mate.post('/invitations/accept', { id: own.id })).body.error.code).toBe(
    'invitation_not_found',
  );
});

test('a mailed link sets a new password, once, and ends every session', async () => {
  const ada = await newManager(t, 'reset@example.com');
  const nobody = new Dashboard(t.url);
  expect((await nobody.post('/password-reset', { email: 'reset@example.com' })).status).toBe(200);
  expect((await nobody.post('/password-reset', { email: 'unknown@example.com' })).status).toBe(200);
  const token = await tokenTo('reset@example.com', /new password/);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      new Dashboard(t.url).post('/password-reset/complete', { token, password: 'another good one' }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect((await ada.get('/account')).status).toBe(401);
  const signedIn = await nobody.post('/session', {
    email: 'reset@example.com',
    password: 'another good one',
  });
  expect(signedIn.status).toBe(200);
});

test('whoever signed up with another’s address keeps no way in after its owner has set a password', async () => {
  const stranger = await newManager(t, 'taken@example.com');
  const program = await tokenOf(t, stranger);
  await t.control.query(sql`UPDATE control.accounts SET is_verified = false WHERE id = ${stranger.id}::uuid`);
  await new Dashboard(t.url).post('/password-reset', { email: 'taken@example.com' });
  const token = await tokenTo('taken@example.com', /new password/);
  const owner = new Dashboard(t.url);
  expect((await owner.post('/password-reset/complete', { token, password: 'the owner’s own' })).status).toBe(
    200,
  );
  await t.app.caughtUp();
  expect((await program.get('/account')).status).toBe(401);
  expect((await stranger.get('/account')).status).toBe(401);
  const signedIn = await owner.post('/session', { email: 'taken@example.com', password: 'the owner’s own' });
  expect(signedIn.body.data).toMatchObject({ email_verified: true });
  expect((await owner.get('/tokens')).body.data).toEqual([]);
});
