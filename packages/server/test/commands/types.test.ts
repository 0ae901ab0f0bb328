// @postgres newest
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTypesCommand } from '../../src/commands/types/run-types.ts';
import { useTestApp } from '../support/test-app.ts';

const t = useTestApp();

test('plinth types writes the types of a project, and says if nothing has changed', async () => {
  const { ref, apiKey, api } = await t.createProject();
  const url = `${t.url}/p/${ref}`;
  await api.post('/collections', { name: 'authors' });
  await api.post('/collections', {
    name: 'books',
    settings: { schema: { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } } },
  });
  const author = (await api.post('/collections/authors', { name: 'Ada' })).body.data.id;
  await api.post('/collections', { name: 'notes' });
  await api.post('/collections/notes', { author_id: author, text: 'x' });
  await api.post('/auth-collections/users', { email: 'ada@example.com', data: { nick: 'ada' } });
  const folder = await mkdtemp(join(tmpdir(), 'plinth-types-'));
  try {
    const out = join(folder, 'project.ts');
    const args = ['--url', `${url}/`, '--key', apiKey, '--out', out];
    expect(await runTypesCommand({}, args, undefined)).toBe(`Wrote ${out} with the types of 3 collections.`);
    const text = await readFile(out, 'utf8');
    expect(text).toContain("author_id: Id<'authors'>;");
    expect(text).toContain('books: {\n      n: number;\n    };');
    expect(text).toContain('nick: string;');
    expect(await runTypesCommand({}, args, undefined)).toBe(`${out} is up to date.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const PLINTH_URL = url;
  expect(await runTypesCommand({ PLINTH_URL, PLINTH_API_KEY: apiKey }, [], undefined)).toContain(
    'export interface Project {',
  );
});

test('what is missing or wrong is said in one line', async () => {
  const [{ ref }] = t.projects;
  const run = (args: string[]) => runTypesCommand({}, args, '/nowhere');
  await expect(run([])).rejects.toThrow('No plinth dev is running in this folder');
  await expect(run(['--key', 'plk_x'])).rejects.toThrow('Also pass the project’s address');
  await expect(run(['--url', `${t.url}/p/${ref}`, '--key', 'plk_wrong'])).rejects.toThrow(/\/p\/.*: /);
  await expect(run(['--url', 'http://127.0.0.1:1/p/x', '--key', 'plk_x'])).rejects.toThrow(
    'cannot be reached',
  );
  await expect(run(['--nothing'])).rejects.toThrow("Unknown option '--nothing'");
});
