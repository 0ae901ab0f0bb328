import { signInLinkFor } from '../../server/src/features/management/accounts/index.ts';
import { Client } from '../../server/test/support/client.ts';
import { type TestApp, testApp } from '../../server/test/support/test-app.ts';
import { newVisitor, type Visitor } from './visitor.ts';

export interface Library extends AsyncDisposable {
  readonly t: TestApp;
  readonly ada: Visitor;
  /** With the API key of the project. */
  readonly server: Client;
  readonly apiKey: string;
  /** The address of a page of the project. */
  readonly at: (path: string) => string;
}

/** Ada, signed in, at a project of her own. */
export async function newLibrary(): Promise<Library> {
  const t = await testApp();
  const service = t.url.replace('127.0.0.1', 'localhost');
  const token = await signInLinkFor(t.control, 'ada@example.com');
  const ada = await newVisitor(`${service}/dashboard#token=${token}`);
  const { page } = ada;
  await page.getByRole('button', { name: 'New project' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Library');
  await page.getByRole('button', { name: 'Create project' }).click();
  const apiKey = (await page.getByText(/^plk_/).textContent()) ?? '';
  const server = new Client(t.url, { 'x-api-key': apiKey });
  await page.getByRole('button', { name: 'Open the project' }).click();
  await page.getByRole('heading', { name: 'Library' }).waitFor();
  const project = new URL(page.url()).pathname;
  return {
    t,
    ada,
    server,
    apiKey,
    at: (path) => `${service}${project.replace(/\/$/, '')}${path}`,
    async [Symbol.asyncDispose]() {
      await ada[Symbol.asyncDispose]();
      await t[Symbol.asyncDispose]();
    },
  };
}
