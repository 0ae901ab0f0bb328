// @postgres newest
import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { file, sendForm, upload } from '../../support/files/forms.ts';
import { useTestApp } from '../../support/test-app.ts';
import { expectTidy, usageOf } from './files-probes.ts';
import { metadata, Resumable } from './files-resumable.ts';

const t = useTestApp();
let tus: Resumable;
beforeAll(async () => {
  tus = new Resumable(t.url, { 'X-API-Key': t.projects[0].apiKey });
});

/** The code of the refusal, for the same name and folder sent in every way there is. */
async function refusals(name: string, path: string): Promise<(string | number)[]> {
  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
    body?.error?.code ?? status;
  // FormData writes quotation marks, CR and LF of a name as browsers do; a program of its own need not.
  const plain = await t.api.call('POST', '/storage/upload', undefined, {
    raw: formOf(name, path),
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  });
  const direct = await t.api.post('/storage/direct-uploads', { name, path, size: 1 });
  const resumable = await tus.create('1', metadata({ filename: name, path }));
  const said = await resumable.text();
  return [
    codeOf(plain),
    codeOf(direct),
    codeOf({ status: resumable.status, body: said.startsWith('{') ? JSON.parse(said) : {} }),
  ];
}

function formOf(name: string, path: string): Buffer {
  const quoted = name.replaceAll('\\', '\\\\').replaceAll('"', '%22');
  return Buffer.from(
    `--b\r\nContent-Disposition: form-data; name="path"\r\n\r\n${path}\r\n` +
      `--b\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\n\r\nx\r\n--b--\r\n`,
  );
}

const badNames: [string, string][] = [
  ['a way up', '../../etc/passwd.txt'],
  ['a way up, as Windows has it', '..\\..\\boot.txt'],
  ['an absolute path', '/etc/passwd.txt'],
  ['a drive', 'C:\\a.txt'],
  ['a share', '\\\\host\\a.txt'],
  ['an encoded way up', '%2e%2e%2fa.txt'],
  ['an encoded way up, in capitals', '%2E%2E%5Ca.txt'],
  ['an encoded NUL', 'a.php%00.txt'],
  ['a NUL', 'a.php\0.txt'],
  ['a tab', 'a\t.txt'],
  ['an escape sequence', '\u001b[2Ja.txt'],
  ['DEL', 'a\u007f.txt'],
  ['a control character beyond ASCII', 'a\u0085.txt'],
  ['right-to-left override', 'a\u202etxt.exe.txt'],
  ['a right-to-left mark', 'a\u200fb.txt'],
  ['an Arabic letter mark', 'a\u061cb.txt'],
  ['an isolate', 'a\u2066b\u2069.txt'],
  ['a byte order mark', '\ufeffa.txt'],
  ['256 characters', `${'a'.repeat(252)}.txt`],
  ['1000 characters', `${'a'.repeat(996)}.txt`],
  ['only dots', '..'],
];

const badPaths: [string, string][] = [
  ['a way up', '../'],
  ['a way up in the middle', 'a/../../b/'],
  ['a way up at the end', 'a/..'],
  ['the folder itself', './a/'],
  ['an absolute path', '/etc/'],
  ['a backslash', 'a\\b/'],
  ['an encoded dot', 'a/%2e%2e/b/'],
  ['an encoded slash', 'a%2Fb/'],
  ['a NUL', 'a\0b/'],
  ['an empty part', 'a//b/'],
  ['a part of spaces', 'a/ /b/'],
  ['only a slash', '/'],
  ['a line break', 'a\nb/'],
  ['right-to-left override', 'a\u202eb/'],
  ['an Arabic letter mark', 'a\u061cb/'],
  ['1025 characters', `${'a'.repeat(1024)}/`],
];

/** The code for each way; no JSON takes a NUL, wherever it stands. */
const threeTimes = (code: string, text: string) => [
  code,
  text.includes('\0') ? 'invalid_json_value' : code,
  code,
];

describe('U2: names and folders', () => {
  test.each(badNames)('a name with %s is refused', async (_what, name) => {
    expect(await refusals(name, '')).toEqual(threeTimes('invalid_file_name', name));
  });

  test.each(badPaths)('a folder with %s is refused', async (_what, path) => {
    expect(await refusals('a.txt', path)).toEqual(threeTimes('invalid_path', path));
    const { status, body } = await t.api.get(`/storage/list?path=${encodeURIComponent(path)}`);
    // No query takes a NUL, wherever it stands.
    expect({ status, body }).toFailWith(400, path.includes('\0') ? 'invalid_query' : 'invalid_path');
  });

  test('half of a surrogate pair is refused', async () => {
    for (const [name, path] of [
      ['a\ud800.txt', ''],
      ['a.txt', 'a\udc00/'],
    ]) {
      const { status } = await t.api.post('/storage/direct-uploads', { name, path, size: 1 });
      expect(status).toBe(400);
    }
  });

  test('file parts of documents and users have the same checks, and nothing stays of them', async () => {
    const before = await usageOf(t.api);
    await t.api.post('/collections', { name: 'named' });
    for (const [what, name] of badNames) {
      const { status, body } = await sendForm(t.api, 'POST', '/collections/named', [
        ['good', file('good.txt', 'x')],
        ['bad', file(name, 'x')],
      ]);
      // FormData replaces line breaks and drops nothing else: whatever arrives is no name.
      expect({ status, body }, what).toFailWith(400, 'invalid_file_name');
    }
    expect((await t.api.get('/collections/named')).body.total).toBe(0);
    expect(await usageOf(t.api)).toEqual(before);
    await expectTidy(t);
  });

  test('255 characters of any script are a name, and come back as they were', async () => {
    for (const name of [
      `${'a'.repeat(251)}.txt`,
      `${'猫'.repeat(251)}.txt`,
      'Überraschung.txt',
      'a b;c="d"\u2019.txt',
      '-rf.txt',
      "'; DROP TABLE files; --.txt",
      '$(reboot).txt',
      'CON.txt',
      '...txt',
      '100%.txt',
      '{{7*7}}.txt',
      '__proto__.txt',
    ]) {
      const { status, body } = await upload(t.api, name, 'x');
      expect([name, status, body.data?.name]).toEqual([name, 201, name.normalize('NFC')]);
      const { headers } = await fetch(body.data.url);
      expect(headers.get('content-disposition')).toMatch(/^inline; filename=[^\r\n]+$/);
    }
  });
});

describe('U2: nothing a caller writes becomes a path', () => {
  test('everything in the store has a name chosen by the service', async () => {
    const names = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => `${text}.txt`);
    const paths = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(names, paths, async (name, segments) => {
        const { status, body } = await upload(t.api, name, 'x', { path: segments.join('/') });
        expect([201, 400]).toContain(status);
        if (status === 400)
          expect(body.error.code).toMatch(/^invalid_(file_name|path)$|^unsupported_file_type$/);
      }),
      { numRuns: 60 },
    );
    const key = /^\d+(\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\/[A-Za-z0-9._~-]+)?)?$/;
    const stored = await readdir(t.config.FILES_FOLDER!, { recursive: true });
    expect(stored.length).toBeGreaterThan(10);
    expect(stored.filter((name) => !key.test(name))).toEqual([]);
  });

  test('the folders of a list are those of a naive one', async () => {
    const { api } = await t.createProject();
    const segment = fc.constantFrom(
      'a',
      'a b',
      'a!',
      'a.',
      'ab',
      'b',
      'ä',
      '%',
      '_',
      '猫',
      '🐈',
      '\u{10fffe}',
      'A',
    );
    const paths = fc.sample(
      fc.array(segment, { maxLength: 3 }).map((parts) => parts.map((part) => `${part}/`).join('')),
      { numRuns: 60, seed: 7 },
    );
    for (const path of paths) expect((await upload(api, 'f.txt', 'x', { path })).status).toBe(201);
    for (const path of new Set(['', ...paths])) {
      const inside = paths.filter((other) => other.startsWith(path) && other !== path);
      const folders = new Set(inside.map((other) => other.slice(0, other.indexOf('/', path.length) + 1)));
      const { body } = await api.get(`/storage/list?path=${encodeURIComponent(path)}`);
      expect([path, body.folders.toSorted()]).toEqual([path, [...folders].toSorted()]);
      expect([path, body.total]).toEqual([path, paths.filter((other) => other === path).length]);
    }
  });
});
