// @postgres newest
// @needs chromium
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAccountCommand } from '../../src/commands/account.ts';
import { signInLinkFor } from '../../src/features/management/accounts/index.ts';
import { Client } from '../support/client.ts';
import { type Kept, runExample } from '../support/http-example.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { Dashboard } from '../support/management/dashboard.ts';
import { type Block, blocksOf, readPage } from '../support/markdown.ts';
import { type MailApp, mailApp } from '../support/people/mail-app.ts';
import { runShell, shellWith } from '../support/shell-example.ts';
import { runInPage } from './browser-example.ts';
import { Mailbox } from './message-example.ts';
import { quickProjects } from './quick-projects.ts';
import { writeSampleFiles } from './sample-files.ts';
import { writeSampleSettings } from './sample-settings.ts';
import { AppWindow, appOrigin } from './window-example.ts';

/** Ada and Grace have accounts; Ada owns the project. */
async function signInPeople(t: MailApp, kept: Kept): Promise<void> {
  const ada = await signIn(t, 'ada@example.com', kept);
  kept.set('dashboard-cookie', ada.cookie);
  await runAccountCommand(t.config, ['give', 'ada@example.com', kept.get('ref') ?? '']);
  const grace = await signIn(t, 'grace@example.com', kept);
  kept.set('grace-dashboard-cookie', grace.cookie);
}

async function signIn(t: MailApp, email: string, kept: Kept): Promise<Dashboard> {
  const person = new Dashboard(t.url);
  await person.post('/session', { token: await signInLinkFor(t.control, email) });
  const made = await person.post('/tokens', { name: 'docs', access: 'write' });
  kept.set(`${email.split('@', 1)[0]}-token`, String(made.body.data.token));
  return person;
}

let t: MailApp;
let provider: IdentityProvider;
let mailbox: Mailbox;
let folder: string;
beforeAll(async () => {
  t = await mailApp({ FUNCTIONS_SANDBOX: 'process', FUNCTIONS_BLANK_PROCESSES: '1' });
  provider = await startIdentityProvider({ redirectUris: [`${appOrigin}/signed-in`] });
  mailbox = new Mailbox(t.mail, t.sms);
  folder = await mkdtemp(join(tmpdir(), 'plinth-examples-'));
  await writeSampleFiles(folder);
  await writeSampleSettings(folder, { ...t, provider });
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const kindOf = (text: string) => text.trim().split('\n', 2).join(' ').slice(0, 90);

/** Where the paths of a page start: at the server, or at the address of a project. */
const pages = [
  { path: 'docs/documents.md', start: 'project' },
  { path: 'docs/projects.md', start: 'server' },
  { path: 'docs/keys.md', start: 'project' },
  { path: 'docs/users.md', start: 'project' },
  { path: 'docs/rules.md', start: 'project' },
  { path: 'docs/files.md', start: 'project' },
  { path: 'docs/auth.md', start: 'project' },
  { path: 'docs/indexes.md', start: 'project' },
  { path: 'docs/management.md', start: 'server' },
  { path: 'docs/teams.md', start: 'server' },
  { path: 'docs/config-as-code.md', start: 'project' },
] as const;
const run = ['http', 'sh', 'js', 'mail', 'sms', 'authenticator', 'browser'];

describe.each(pages)('$path: every example does what it shows', ({ path, start }) => {
  const examples = blocksOf(readPage(path))
    .filter(({ language }) => run.includes(language))
    .map((block) => ({ ...block, title: kindOf(block.text) }));
  const kept: Kept = new Map();
  let project: Awaited<ReturnType<MailApp['createProject']>>;
  let window: AppWindow | undefined;
  let shell: Awaited<ReturnType<typeof quickProjects>>;

  beforeAll(async () => {
    project = await t.createProject('My first project');
    kept.set('ref', project.ref);
    if (/management|teams/.test(path)) await signInPeople(t, kept);
    const env = shellWith({
      DATABASE_URL: t.config.DATABASE_URL,
      CELL_DATABASE_URLS: t.config.CELL_DATABASE_URLS,
      SECRET_KEY: t.config.SECRET_KEY,
      FILES_FOLDER: t.config.FILES_FOLDER!,
      PUBLIC_URL: 'https://api.example.com',
      HOST: '127.0.0.1',
      PORT: '0',
      SHUTDOWN_DELAY_MS: '0',
      REF: project.ref,
      OLD_REF: (await t.createProject()).ref,
      KEY: project.apiKey,
      JSON: 'Content-Type: application/json',
    });
    shell = await quickProjects(env);
  });
  afterAll(async () => {
    await window?.[Symbol.asyncDispose]();
    await shell[Symbol.asyncDispose]();
  });

  test.each(examples)('line $line: $title', async (example) => {
    const base = start === 'server' ? t.url : `${t.url}/p/${project.ref}`;
    switch (example.language) {
      case 'http':
        return runExample({ base, apiKey: project.apiKey }, example, kept);
      case 'mail':
        return mailbox.runMail(example, kept);
      case 'sms':
        return mailbox.runSms(example, kept);
      case 'authenticator':
        return mailbox.runAuthenticator(example, kept);
      case 'browser':
        window ??= await AppWindow.open(provider);
        return window.run(example, base, kept);
      case 'js':
        return runScript(example, base);
    }
    await runShell(example, { ...shell.env, BASE: base }, { folder, kept });
    // What a command has changed counts from the next call on.
    if (example.text.includes('plinth ')) await t.app.caughtUp();
  });

  async function runScript(example: Block, base: string): Promise<void> {
    const known = { base, token: kept.get('ada-token')! };
    if (path === 'docs/files.md') return runInPage(example, known);
    if (example.text.includes("from 'node:")) return mailbox.runReceiver(example);
    window ??= await AppWindow.open(provider);
    const token = await window.runScript(example, { ...known, password: 'a better horse' });
    const me = await new Client(base, { authorization: `Bearer ${token}` }).get('/auth-collections/user');
    expect(me.body.data?.email, me.text).toBe('ada@example.com');
  }
});

describe('an example that is not true fails', () => {
  const run = (text: string, kept: Kept = new Map()) =>
    runExample(
      { base: t.url, apiKey: t.projects[0].apiKey },
      { language: 'http', line: 1, text: `${text}\n` },
      kept,
    );

  test.each([
    ['another status', '=> 201 {"success": true}'],
    ['another body', '=> 200 {"success": true, "data": [{"name": "ghosts"}]}'],
    ['another header', '=> 200 {"success": true}\nX-RateLimit-Limit: 1'],
    ['a field as absent that is there', '=> 200 {"total": "<absent>"}'],
    ['another kept value', '=> 200 {"total": "<kept>"}'],
    ['a new value that is the old one', '=> 200 {"total": "<new zero>"}'],
  ])('because it shows %s', async (_what, answer) => {
    const kept = new Map([
      ['kept', 'something else'],
      ['zero', 0 as unknown as string],
    ]);
    await expect(run(`GET /collections\n\n${answer}`, kept)).rejects.toThrow();
  });

  test('because it is sent as somebody else', async () => {
    await run('# as server\nGET /collections\n\n=> 200');
    await run('# as anonymous\nGET /collections\n\n=> 401');
    await expect(run('# as anonymous\nGET /collections\n\n=> 200')).rejects.toThrow();
    await expect(run('# as ada\nGET /collections\n\n=> 403')).rejects.toThrow('<ada-token>');
  });
});

test('a command that fails, or prints something else, fails', async () => {
  const sh = (text: string) => runShell({ language: 'sh', line: 1, text }, shellWith({}));
  await expect(sh('false\ntrue')).rejects.toThrow();
  await expect(sh('echo one\n#> two')).rejects.toThrow();
  await expect(sh(`echo '{"a": 1}'\n#> {"a": 2}`)).rejects.toThrow();
  await expect(sh(`echo '{"a": 1}'; echo '{"a": 1}'\n#> {"a": 1}`)).rejects.toThrow();
  await sh('echo one\n#> one');
  await sh(`echo '{"a": 1, "b": 2}'\n#> {"a": 1}`);
});
