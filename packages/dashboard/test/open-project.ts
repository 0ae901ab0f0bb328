import { signInLinkFor } from '../../server/src/features/management/accounts/index.ts';
import { Client } from '../../server/test/support/client.ts';
import type { TestApp } from '../../server/test/support/test-app.ts';
import { newVisitor, type Visitor } from './visitor.ts';

export interface OpenedProject {
  /** Whoever closes the service closes her browser before. */
  readonly ada: Visitor;
  readonly ref: string;
  readonly apiKey: string;
  /** Calls with the API key of the project. */
  readonly server: Client;
  /** Calls as an app makes them, without a key. */
  readonly app: Client;
  /** The address of a page of the project. */
  readonly at: (path: string) => string;
}

/** Ada in a browser, signed in, in a new project of hers. */
export async function openProject(
  t: Pick<TestApp, 'url' | 'control'>,
  name = 'Library',
): Promise<OpenedProject> {
  const service = t.url.replace('127.0.0.1', 'localhost');
  const token = await signInLinkFor(t.control, 'ada@example.com');
  const ada = await newVisitor(`${service}/dashboard#token=${token}`);
  const { page } = ada;
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create project' }).click();
  const apiKey = (await page.getByText(/^plk_/).textContent()) ?? '';
  await page.getByRole('button', { name: 'Open the project' }).click();
  await page.getByRole('heading', { name }).waitFor();
  const ref = /\/p\/([a-z0-9]{12})/.exec(page.url())?.[1] ?? '';
  return {
    ada,
    ref,
    apiKey,
    server: new Client(t.url, { 'x-api-key': apiKey }),
    app: new Client(`${t.url}/p/${ref}`),
    at: (path) => `${service}/dashboard/p/${ref}${path}`,
  };
}
