import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../server/test/support/is-missing.ts';
import { type MailApp, mailApp } from '../../server/test/support/people/mail-app.ts';
import { type OpenedProject, openProject } from './open-project.ts';

describe.skipIf(isMissing('chromium'))('the messages of a project', () => {
  let t: MailApp;
  let opened: OpenedProject;
  beforeAll(async () => {
    t = await mailApp();
    opened = await openProject(t);
  });
  afterAll(async () => {
    await opened?.ada[Symbol.asyncDispose]();
    await t?.[Symbol.asyncDispose]();
  });

  interface Stored {
    readonly name: string;
    readonly language: string;
    readonly subject: string;
    readonly is_own: boolean;
  }
  const welcomeIn = async (wanted: string) => {
    const { body } = await opened.server.get('/auth-collections/templates');
    return (body.data as Stored[]).find(({ name, language }) => name === 'welcome' && language === wanted);
  };

  test('a mail is seen as it would arrive, on a desktop and a phone', async () => {
    const { ada } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Messages' }).click();
    await ada.see('messages', 'Messages');
    await page.getByRole('link', { name: 'Password reset' }).click();
    const mail = page.frameLocator('iframe[title="Preview"]');
    const button = mail.getByRole('link').first();
    await button.waitFor();
    // Its own styles are in force, those of its elements and those of its head.
    expect(await button.evaluate((link) => getComputedStyle(link).textDecorationLine)).toBe('none');
    await ada.see('message', 'Password reset');
    await page.getByText('Phone', { exact: true }).click();
    expect(new URL(page.url()).searchParams.get('as')).toBe('phone');
    const width = () => page.locator('iframe').evaluate((frame) => frame.clientWidth);
    await expect.poll(width).toBeLessThan(380);
    await page.getByText('Plain text', { exact: true }).click();
    await page.getByText('a-token-for-the-preview').waitFor();
    await page.getByRole('link', { name: 'Messages' }).first().click();
  });

  test('words of one’s own are seen while typing, saved, and sent', async () => {
    const { ada, app } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Welcome' }).click();
    await page.getByRole('link', { name: 'German' }).click();
    const mail = page.frameLocator('iframe[title="Preview"]');
    await page.getByLabel('Subject').fill('Willkommen, {{name}}');
    await page.getByLabel('Text', { exact: true }).fill('Schön, dass du da bist.\n\n{{nonsense}}');
    await page.getByRole('alert').getByText('"{{nonsense}}" is not a known placeholder.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByLabel('Text', { exact: true }).fill('Schön, dass du da bist.');
    await mail.getByRole('article').getByText('Schön, dass du da bist.').waitFor();
    await page.getByText('Willkommen, Sam').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => welcomeIn('de')).toMatchObject({ is_own: true, subject: 'Willkommen, {{name}}' });
    await ada.see('message-own', 'Welcome');
    const body = { email: 'kim@example.com', password: 'correct horse battery', data: { name: 'Kim' } };
    await app.post('/auth-collections/signup', body, { headers: { 'accept-language': 'de' } });
    expect((await t.mail.mailTo('kim@example.com')).subject).toBe('Willkommen, Kim');
  });

  test('HTML of one’s own is shown without running anything', async () => {
    const { page } = opened.ada;
    await page.getByRole('switch', { name: 'Custom HTML' }).click();
    await page
      .getByLabel('HTML', { exact: true })
      .fill(
        '<style>p { color: rgb(1, 2, 3) }</style><p onclick="x()">Hallo &amp; {{name}}<img src="https://other.example/x.png" alt="Bild"></p>',
      );
    const paragraph = page.frameLocator('iframe[title="Preview"]').getByText('Hallo & Sam');
    await paragraph.waitFor();
    expect(await paragraph.evaluate((p) => [getComputedStyle(p).color, p.outerHTML])).toEqual([
      'rgb(1, 2, 3)',
      '<p>Hallo &amp; Sam<span>Bild</span></p>',
    ]);
    await page.getByRole('button', { name: 'Restore the built-in text' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore the built-in text' }).click();
    await expect.poll(() => welcomeIn('de')).toMatchObject({ is_own: false });
  });

  test('a mail server of the project is set up, and a test sent by it', async () => {
    const { ada } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Messages' }).first().click();
    await page.getByLabel('Addresses').fill('ada@example.com');
    const receivers = page.getByRole('region', { name: 'Test recipients' });
    await receivers.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => receivers.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Set up: Mail server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Mail server' });
    const { hostname, port } = new URL(t.mail.url);
    await dialog.getByLabel('Host').fill(hostname);
    await dialog.getByLabel('Encryption').selectOption('None');
    await dialog.getByLabel('Port').fill(port);
    await dialog.getByLabel('Sender').fill('hello@library.example');
    await ada.see('mail-server', 'Mail server');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Replace: Mail server' }).waitFor();
    await page.getByRole('link', { name: 'New device' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByRole('dialog').getByLabel('Email address').fill('test@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('status').getByText('On its way to test@example.com').waitFor();
    const { headers } = await t.mail.mailTo('test@example.com');
    expect(headers.from).toContain('hello@library.example');
  });

  test('what was sent is listed, and what cannot be sent says why and is tried again', async () => {
    const { ada, app, server } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Messages' }).first().click();
    await page.getByRole('link', { name: 'Outbox' }).click();
    const rowOf = (to: string) => page.getByRole('listitem').filter({ hasText: to });
    await rowOf('test@example.com').getByText('sent', { exact: true }).waitFor();
    // Nobody listens there any more.
    const { port } = new URL(t.mail.url);
    const setPort = async (to: number) => {
      const body = { host: '127.0.0.1', port: to, tls: 'none', from: 'hello@library.example' };
      const status = await page.evaluate(
        async ([path, sent]) =>
          (
            await fetch(path!, {
              method: 'PUT',
              headers: { 'content-type': 'application/json', 'x-plinth-dashboard': '1' },
              body: sent!,
            })
          ).status,
        [`/management/projects/${opened.ref}/services/mail`, JSON.stringify(body)],
      );
      expect(status).toBe(200);
    };
    await setPort(9);
    await app.post('/auth-collections/signup', { email: 'lea@example.com', password: 'correct horse' });
    const lea = rowOf('lea@example.com');
    // It comes in by itself.
    await lea.getByText('it refused the connection').waitFor();
    await ada.see('outbox', 'Messages');
    await page.getByLabel('Status').selectOption('Waiting');
    await page.getByRole('searchbox', { name: 'To' }).fill('LEA@');
    await expect.poll(() => new URL(page.url()).searchParams.get('to')).toBe('LEA@');
    await expect.poll(() => page.getByRole('main').getByRole('listitem').count()).toBe(1);
    await setPort(Number(port));
    await lea.getByRole('button', { name: 'Retry now' }).click();
    await t.mail.mailTo('lea@example.com');
    await page.getByRole('heading', { name: 'No messages match this filter' }).waitFor();
    await ada.see('outbox-none', 'No messages match this filter');
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await lea.getByText('sent', { exact: true }).waitFor();
    const [message] = (await server.get('/messages?to=lea@example.com')).body.data;
    expect(message).toMatchObject({ status: 'sent', lastError: null });
  });

  test('what waits is a job until it is done', async () => {
    const { ada, ref } = opened;
    const { page } = ada;
    await page.getByRole('link', { name: 'Jobs' }).click();
    await ada.see('jobs-none', 'No background jobs');
    for (const cell of t.cells.numbers)
      await t.cells.pool(cell).query(
        `SELECT graphile_worker.add_job('send-mail', json_build_object('projectId', project_id::text),
           job_key => $1 || '-later', run_at => now() + interval '1 hour', flags => ARRAY [project_id::text])
         FROM cell.messages WHERE receiver = 'lea@example.com'`,
        [ref],
      );
    await page.getByRole('link', { name: 'Send an email' }).waitFor();
    await ada.see('jobs', 'Jobs');
    await page.getByRole('link', { name: 'Failed' }).click();
    await page.getByRole('heading', { name: 'No failed jobs' }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
  });
});
