// @postgres newest
// @needs chromium
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MailServer, startMailServer, tokenIn } from '../../support/mail-server.ts';
import type { SentCredential } from '../../support/people/device.ts';
import { openStage, refused, type Stage } from '../../support/people/passkeys.ts';
import { doorOf, newPerson, type Person } from '../../support/people/people.ts';

let stage: Stage;
let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
  stage = await openStage({
    SMTP_URL: mail.url,
    MAIL_FROM: 'no-reply@plinth.example',
    OUTBOUND_ALLOW: '127.0.0.0/8',
  });
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await mail[Symbol.asyncDispose]();
});

/** The owner of the mailbox sets a new password. */
async function resetPassword({ email }: Person): Promise<void> {
  const door = doorOf(stage.t);
  await door.post('/auth-collections/forgot-password', { email });
  const token = tokenIn(await mail.mailTo(email, 'password'));
  const reply = await door.post('/auth-collections/reset-password', { token, new_password: 'another horse' });
  expect(reply.status, reply.text).toBe(200);
}

test('O4: a person who opened an account with another’s address loses the passkey when the owner comes', async () => {
  const { device, person } = await stage.personWithPasskey();
  await resetPassword(person);
  expect(await stage.signIn(device)).toFailWith(...refused);
});

test('a user whose address is verified keeps its passkeys through a reset', async () => {
  const { device, person } = await stage.personWithPasskey();
  await stage.t.api.patch(`/auth-collections/users/${person.id}`, { email_verified: true });
  await resetPassword(person);
  expect((await stage.signIn(device)).status).toBe(200);
});

test('O4: a passkey whose call was let in before the reset and arrives after it is not added', async () => {
  const { t } = stage;
  const person = await newPerson(t);
  const device = await stage.openDevice();
  const late = registerLate(person, await device.create(await stage.creationOptions(person)));
  await resetPassword(person);
  expect((await late()).status).toBe(401);
  expect(await stage.signIn(device)).toFailWith(...refused);
});

/** Sends a call but for the end of its body; what is returned sends that. */
function registerLate({ token }: Person, response: SentCredential): () => Promise<Response> {
  const body = Buffer.from(JSON.stringify({ response }));
  const release = Promise.withResolvers<void>();
  const slow = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(body.subarray(0, 20));
      await release.promise;
      controller.enqueue(body.subarray(20));
      controller.close();
    },
  });
  const reply = fetch(`${stage.t.url}/auth-collections/passkeys/register`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      origin: stage.origin,
    },
    body: slow,
    duplex: 'half',
  });
  return () => {
    release.resolve();
    return reply;
  };
}
