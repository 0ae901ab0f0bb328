import { signInLinkFor } from '../../server/src/features/management/accounts/index.ts';
import { Client } from '../../server/test/support/client.ts';
import { type MailApp, mailApp } from '../../server/test/support/people/mail-app.ts';
import { newVisitor, type Visitor } from './visitor.ts';

interface OpenedProject extends AsyncDisposable {
  readonly t: MailApp;
  readonly ada: Visitor;
  /** The address of the service, as the browser has it. */
  readonly service: string;
  readonly ref: string;
  /** Calls with the API key of the project. */
  readonly server: Client;
  /** Calls as an app would, without a key. */
  readonly app: Client;
}

/** Ada in a browser, in a new project of hers; mails and text messages go somewhere. */
export async function openedProject(): Promise<OpenedProject> {
  const t = await mailApp();
  const service = t.url.replace('127.0.0.1', 'localhost');
  const token = await signInLinkFor(t.control, 'ada@example.com');
  const ada = await newVisitor(`${service}/dashboard#token=${token}`);
  const { page } = ada;
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Library');
  await page.getByRole('button', { name: 'Create project' }).click();
  const apiKey = (await page.getByText(/^plk_/).textContent()) ?? '';
  await page.getByRole('button', { name: 'Open the project' }).click();
  await page.waitForURL(/\/p\/[a-z0-9]{12}/);
  const ref = /\/p\/([a-z0-9]{12})/.exec(page.url())?.[1] ?? '';
  return {
    t,
    ada,
    service,
    ref,
    server: new Client(t.url, { 'x-api-key': apiKey }),
    app: new Client(`${t.url}/p/${ref}`),
    async [Symbol.asyncDispose]() {
      await ada[Symbol.asyncDispose]();
      await t[Symbol.asyncDispose]();
    },
  };
}
