// @postgres newest
import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { codeIn, linkIn, startMailServer, tokenIn } from './mail-server.ts';

const letter = {
  from: 'app@example.com',
  to: 'ada@example.com',
  subject: 'Grüße',
  text: 'Here:\n\nhttps://app.example.com/verify?token=abc_1&x=2\n\n123456\n',
  html: '<p>Here</p>',
};

test('a mail arrives as it was sent, and is found by those who wait for it', async () => {
  await using server = await startMailServer({ auth: { user: 'app', pass: 'secret' } });
  const waiting = server.mailTo('ada@example.com', 'Gr');
  const sender = createTransport(server.url);
  await sender.sendMail(letter);
  const mail = await waiting;
  expect(mail).toMatchObject({ to: ['ada@example.com'], from: 'app@example.com', subject: 'Grüße' });
  expect([linkIn(mail), tokenIn(mail), codeIn(mail)]).toEqual([
    'https://app.example.com/verify?token=abc_1&x=2',
    'abc_1',
    '123456',
  ]);
  expect(mail.html).toContain('<p>Here</p>');
  await expect(server.until(({ subject }) => subject === 'Other', 50)).rejects.toThrow('"Grüße" to ada@');
  const stranger = createTransport(server.url.replace('secret', 'guess'));
  await expect(stranger.sendMail(letter)).rejects.toThrow('Invalid username or password');
});

test('deliveries can be refused and held', async () => {
  await using server = await startMailServer({ refuseFirst: 1 });
  server.refuseNext(1, 550);
  const sender = createTransport(server.url);
  await expect(sender.sendMail(letter)).rejects.toMatchObject({ responseCode: 451 });
  await expect(sender.sendMail(letter)).rejects.toMatchObject({ responseCode: 550 });
  const held = server.holdNext();
  const sent = sender.sendMail(letter);
  await held.arrived;
  expect([server.mails.length, server.attempts]).toEqual([0, 3]);
  held.release();
  await sent;
  expect(server.mails).toHaveLength(1);
});
