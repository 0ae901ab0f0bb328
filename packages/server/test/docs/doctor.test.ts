// @postgres newest
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groups } from '../../src/commands/doctor/check.ts';
import { checks } from '../../src/commands/doctor/checks/index.ts';
import { anchorOf, readPage, repository, tablesOf } from '../support/markdown.ts';

const page = readPage('docs/doctor.md');
const tables = tablesOf(page).filter(({ head }) => head[0] === 'check');

describe('docs/doctor.md', () => {
  test('has every check in its group, with the page to read on', () => {
    const written = tables.flatMap(({ rows }) => rows.map(([id = '', , , link = '']) => [id, link]));
    const pages = checks.map(({ id, page: to }) => [id, to.replace(/^doctor\.md/, '')]);
    const links = written.map(([id, link = '']) => [id, /\]\(([^)]+)\)/.exec(link)?.[1]]);
    expect(links).toEqual(
      groups.flatMap((group) => checks.flatMap((check, at) => (check.group === group ? [pages[at]] : []))),
    );
  });

  test('ids are there once', () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  });

  test.each(checks.map(({ id, page: to }) => [id, to]))('%s leads to %s, which is there', (_, to) => {
    const [file = '', anchor = ''] = to.split('#');
    expect(existsSync(join(repository, 'docs', file))).toBe(true);
    const headings = Array.from(
      readPage(`docs/${file}`).matchAll(/^#+ (.*)$/gm),
      ([, heading = '']) => heading,
    );
    expect(headings.map(anchorOf)).toContain(anchor);
  });
});
