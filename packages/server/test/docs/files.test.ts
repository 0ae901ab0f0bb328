// @postgres newest
import { errorCatalogue } from '@plinth/protocol';
import { expect, test } from 'vitest';
import { defaultTiers } from '../../src/calls/index.ts';
import { supportedExtensions } from '../../src/features/files/kinds/file-kinds.ts';
import { fileLimitsOf } from '../../src/features/files/records/limits.ts';
import type { Tier } from '../../src/platform/config/config.ts';
import { gzip, image, mov, mp4, pdf, svg, webm, zip } from '../support/files/contents.ts';
import { upload } from '../support/files/forms.ts';
import { readPage, tablesOf } from '../support/markdown.ts';
import { useTestApp } from '../support/test-app.ts';

const tables = tablesOf(readPage('docs/files.md'));
const rowsUnder = (first: string) => tables.find(({ head }) => head[0] === first)!.rows;

const t = useTestApp();

const contents: Record<string, () => Buffer | string | Promise<Buffer>> = {
  jpg: () => image('jpeg'),
  png: () => image('png'),
  webp: () => image('webp'),
  gif: () => image('gif'),
  svg: () => svg,
  pdf: () => pdf,
  docx: () => zip('[Content_Types].xml'),
  txt: () => 'hello',
  csv: () => 'a,b',
  mp4: () => mp4,
  mov: () => mov,
  webm: () => webm,
  zip: () => zip(),
  'tar.gz': () => gzip,
};

test('docs/files.md lists every type there is', () => {
  expect(rowsUnder('extension').map(([extension]) => extension)).toEqual(supportedExtensions);
});

test.each(rowsUnder('extension'))('docs/files.md: .%s is %s, and %s', async (extension, type, shown) => {
  const { body, text } = await upload(t.api, `a.${extension}`, await contents[extension]!());
  expect(body.data?.contentType, text).toBe(type);
  const answer = await fetch(body.data.url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')!.split(';')[0]).toBe(type);
  const disposition = shown === 'shown' ? 'inline' : 'attachment';
  expect(answer.headers.get('content-disposition')).toBe(`${disposition}; filename=a.${extension}`);
});

test('docs/files.md gives each tier the limits it has', () => {
  expect(rowsUnder('tier')).toHaveLength(4);
  for (const [tier, one, all] of rowsUnder('tier')) {
    const limits = { fileBytes: bytesOf(one!), totalBytes: all === 'unlimited' ? null : bytesOf(all!) };
    expect([tier, fileLimitsOf({ limits: defaultTiers[tier as Tier] })]).toEqual([tier, limits]);
  }
});

test('docs/files.md gives each error the status it has', () => {
  const statuses: Record<string, { status: number }> = errorCatalogue;
  for (const [code, status] of rowsUnder('code')) {
    expect([code, statuses[code!]?.status]).toEqual([code, Number(status)]);
  }
});

const units: Record<string, number> = { MB: 1_048_576, GB: 1024 * 1_048_576 };

function bytesOf(text: string): number {
  const [number, unit] = text.split(' ');
  return Number(number) * units[unit!]!;
}
