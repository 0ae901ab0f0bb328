// @postgres newest
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runPush } from '../../src/commands/configuration/push.ts';
import { useTestApp } from '../support/test-app.ts';
import { ConfigFolder } from './config-folder.ts';
import { configuration } from './samples.ts';

const t = useTestApp();

async function newTarget() {
  const { ref, apiKey, api } = await t.createProject();
  return { url: `${t.url}/p/${ref}`, ref, apiKey, api };
}

/** `plinth push` without a process of its own; paths are as a person in the folder sees them. */
async function pushHere(
  folder: ConfigFolder,
  { url, apiKey }: { url: string; apiKey: string },
  ...args: string[]
): Promise<string> {
  const environment = { PLINTH_URL: url, PLINTH_API_KEY: apiKey };
  const path = join(folder.path, 'plinth');
  return runPush(environment, [path, ...args], undefined, { say: () => {} }).catch((error: Error) => {
    throw new Error(error.message.replaceAll(path, 'plinth'), { cause: error });
  });
}

test('pull writes readable files, twice the same; push into an empty project and pull gives the same bytes', async () => {
  await using folder = await ConfigFolder.make();
  const source = await newTarget();
  await source.api.put('/configuration', configuration);
  const pulled = await folder.run(source, 'pull');
  expect(pulled.code, pulled.stderr).toBe(0);
  expect(pulled.stdout.split('\n')).toEqual([
    'Wrote plinth/project.json',
    'Wrote plinth/collections/posts.json',
    'Wrote plinth/collections/rooms.json',
    'Wrote plinth/mails/welcome.en.txt',
    `plinth now has the configuration of test (${source.ref}).`,
    '',
  ]);
  const files = await folder.files();
  expect(files['mails/welcome.en.txt']).toBe('Subject: Hello\n\nGood to have you.\n');
  expect(files['collections/rooms.json']).toBe(
    '{\n  "rules": {\n    "read": "public",\n    "create": "locked",\n    "update": "locked",\n    "delete": "locked"\n  }\n}\n',
  );
  expect(JSON.parse(files['collections/posts.json']!)).toEqual(configuration.collections.posts);
  const again = await folder.run(source, 'pull');
  expect(again.stdout).toBe(`plinth already has the configuration of test (${source.ref}).\n`);
  expect(await folder.files()).toEqual(files);
  expect(await folder.run(source, 'diff')).toMatchObject({
    code: 0,
    stdout: `test (${source.ref}) matches plinth.\n`,
  });

  const target = await newTarget();
  const differs = await folder.run(target, 'diff');
  expect(differs.code).toBe(1);
  expect(differs.stdout).toContain('  Create the collection posts.\n');
  expect(differs.stdout).toContain(
    `test (${target.ref}) differs from plinth: plinth push would make 13 changes.`,
  );
  const pushed = await folder.run(target, 'push');
  expect(pushed.code, pushed.stderr).toBe(0);
  expect(pushed.stdout).toContain('  Build the unique index of posts on slug.\n');
  expect(pushed.stdout.split('\n').slice(-3)).toEqual([
    `Making 13 changes to test (${target.ref}) …`,
    `Done: 13 changes. test (${target.ref}) matches plinth.`,
    '',
  ]);
  await using other = await ConfigFolder.make();
  await other.run(target, 'pull');
  expect(await other.files()).toEqual(files);
  expect((await folder.run(target, 'push')).stdout).toBe(`test (${target.ref}) already matches plinth.\n`);
});

test('pull removes what is gone, and leaves alone what says the same in other words', async () => {
  await using folder = await ConfigFolder.make();
  const target = await newTarget();
  await folder.write('collections/tags.json', '{"rules": {"read": "public"}}');
  await folder.write('collections/.keep', '');
  await folder.write('README.md', 'ours');
  expect((await folder.run(target, 'push')).code).toBe(0);
  await folder.write('collections/gone.json', {});
  await folder.write('mails/welcome.fr.txt', 'x');
  await folder.write('collections/9 lives.json', 'ours too');
  const pulled = await folder.run(target, 'pull');
  expect(pulled.stdout.split('\n').slice(0, 3)).toEqual([
    'Removed plinth/collections/gone.json',
    'Removed plinth/mails/welcome.fr.txt',
    'Wrote plinth/project.json',
  ]);
  const files = await folder.files();
  expect(files['collections/tags.json']).toBe('{"rules": {"read": "public"}}');
  expect(Object.keys(files).toSorted()).toEqual([
    'README.md',
    'collections/.keep',
    'collections/9 lives.json',
    'collections/tags.json',
    'project.json',
  ]);
});

test('what cannot be undone needs --yes, and is listed', async () => {
  await using folder = await ConfigFolder.make();
  const target = await newTarget();
  await target.api.post('/collections', { name: 'old' });
  await target.api.post('/collections/old', { a: 1 });
  await folder.write('collections/new.json', {});
  const refused = await folder.run(target, 'push');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('! Delete the collection old with its 1 document.');
  expect(refused.stderr).toContain(
    'This cannot be undone: Delete the collection old with its 1 document. To do it anyway, add --yes.',
  );
  expect((await target.api.get('/collections')).body.total).toBe(1);
  const done = await folder.run(target, 'push', '--yes');
  expect(done.code, done.stderr).toBe(0);
  expect(done.stdout).toContain(`Done: 2 changes. test (${target.ref}) matches plinth.\n`);
  expect((await target.api.get('/collections')).body.data.map(({ name }: { name: string }) => name)).toEqual([
    'new',
  ]);
});

describe('mistakes are named with their file and place', () => {
  const cases: [string, Record<string, string>, string][] = [
    ['nothing to push', {}, 'plinth has no configuration. Create it: plinth pull'],
    [
      'an empty folder',
      { 'collections/.keep': '' },
      'plinth/collections is empty: that would delete every collection. Remove the folder to leave them unchanged.',
    ],
    [
      'no JSON',
      { 'project.json': '{\n  "configs": {\n    "A": 1,\n  }\n}' },
      'plinth/project.json: line 4, column 3: This is not valid JSON:',
    ],
    [
      'JSON that ends early',
      { 'collections/posts.json': '{\n  "rules": {' },
      'plinth/collections/posts.json: line 2, column 13: This is not valid JSON:',
    ],
    [
      'an unknown key',
      { 'collections/posts.json': '{\n  "rules": {\n    "raed": "public"\n  }\n}' },
      'plinth/collections/posts.json: line 3: "raed" is unknown in "rules". Did you mean "read"?',
    ],
    [
      'an unknown key at the top',
      { 'project.json': '{\n  "setings": {}\n}' },
      'plinth/project.json: line 2: "setings" is unknown here. Did you mean "settings"?',
    ],
    [
      'a value of another kind',
      { 'collections/posts.json': '{"hiddenFields": "note"}' },
      'plinth/collections/posts.json: line 1: "hiddenFields" must be an array.',
    ],
    [
      'a choice that there is not',
      { 'project.json': '{"settings": {"uploads": "everyone"}}' },
      'plinth/project.json: line 1: "settings.uploads" must be one of "users", "server".',
    ],
    [
      'a name that no collection can have',
      { 'collections/9 lives.json': '{}' },
      'plinth/collections/9 lives.json: "9 lives" is not a valid collection name',
    ],
    [
      'a file that is no collection',
      { 'collections/posts.yaml': 'rules:' },
      'plinth/collections/posts.yaml: Only collections belong here',
    ],
    [
      'a mail that there is not',
      { 'mails/welcome.it.txt': 'Ciao' },
      'plinth/mails/welcome.it.txt: There is no such template.',
    ],
    [
      'HTML without its plain text',
      { 'mails/welcome.en.html': '<p>Hi</p>' },
      'plinth/mails/welcome.en.html: The plain text of this email is missing: welcome.en.txt.',
    ],
    [
      'a rule',
      { 'collections/posts.json': '{"rules": {"read": "pubic"}}' },
      'plinth/collections/posts.json: rules.read: "pubic" is not a rule.',
    ],
    [
      'a config',
      { 'project.json': '{"configs": {"OTP_LENGTH": 99}}' },
      'plinth/project.json: OTP_LENGTH must be an integer, 4 to 10; "99" is not.',
    ],
    [
      'a mail without what it is for',
      { 'mails/verification.en.txt': 'Subject: Hi\n\nThere.' },
      'plinth/mails/verification.en.txt: body: {{link}} is missing',
    ],
  ];

  test.each(cases)('%s', async (_what, files, message) => {
    await using folder = await ConfigFolder.make();
    const target = await newTarget();
    for (const [file, text] of Object.entries(files)) await folder.write(file, text);
    const before = (await target.api.get('/configuration')).body.data.version;
    await expect(pushHere(folder, target, '--yes')).rejects.toThrow(message);
    expect((await target.api.get('/configuration')).body.data.version).toBe(before);
  });

  test('all at once', async () => {
    await using folder = await ConfigFolder.make();
    await folder.write('collections/a.json', '{');
    await folder.write('collections/b.json', '{"rule": {}}');
    await expect(pushHere(folder, await newTarget())).rejects.toThrow(
      /^plinth\/collections\/a.json: .*\nplinth\/collections\/b.json: .*$/,
    );
  });

  test('of the command line', async () => {
    await using folder = await ConfigFolder.make();
    const target = await newTarget();
    expect((await folder.run(target, 'pull', 'a', 'b')).stderr).toContain('"b" is one too many');
    expect((await folder.run(target, 'pull', '--yes')).stderr).toContain("Unknown option '--yes'");
    expect((await folder.run({ ...target, apiKey: 'plk_wrong' }, 'pull')).stderr).toContain(
      `${target.url}: `,
    );
    const away = { url: 'http://127.0.0.1:1/p/x', apiKey: 'plk_x' };
    expect((await folder.run(away, 'pull')).stderr).toContain('cannot be reached');
  });
});
