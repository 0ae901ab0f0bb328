// @postgres newest
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { startSmsGateway } from './sms-gateway.ts';

test('text messages arrive in both forms', async () => {
  await using gateway = await startSmsGateway();
  const body = JSON.stringify({ to: '+4312345', text: '123456', id: '1' });
  const signed = (secret: string) =>
    fetch(gateway.webhookUrl, {
      method: 'POST',
      headers: { 'X-Plinth-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` },
      body,
    });
  expect((await signed('guess')).status).toBe(401);
  gateway.failNext(1, 503);
  expect((await signed(gateway.webhookSecret)).status).toBe(503);
  expect((await signed(gateway.webhookSecret)).status).toBe(200);
  expect(await gateway.messageTo('+4312345')).toMatchObject({ form: 'webhook', text: '123456', id: '1' });

  const { accountSid, authToken } = gateway.twilio;
  const asTwilio = (token: string) =>
    fetch(`${gateway.url}/2010-04-01/Accounts/${accountSid}/Messages.json`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${accountSid}:${token}`)}` },
      body: new URLSearchParams({ To: '+4398765', From: '+1555', Body: '654321' }),
    });
  expect((await asTwilio('guess')).status).toBe(401);
  const answer = await asTwilio(authToken);
  expect([answer.status, await answer.json()]).toEqual([
    201,
    { sid: expect.stringMatching(/^SM/), status: 'queued' },
  ]);
  expect(await gateway.messageTo('+4398765')).toMatchObject({ from: '+1555', text: '654321' });
});
