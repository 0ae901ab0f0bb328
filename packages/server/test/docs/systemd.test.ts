// @postgres newest
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mustHaveAll } from '../support/engines.ts';
import { readPage, repository } from '../support/markdown.ts';

const unit = join(repository, 'deploy/plinth.service');
const isThere = mustHaveAll() || spawnSync('systemd-analyze', ['--version']).status === 0;
/** Of 10; a service that does nothing about it has 9.6. */
const mostExposure = 3;

describe.skipIf(!isThere)('deploy/plinth.service', () => {
  test('is understood by systemd', () => {
    const { stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes('plinth.service'))).toEqual([]);
  });

  test('exposes little', () => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', unit], {
      encoding: 'utf8',
    });
    const [, exposure] = /Overall exposure level for plinth\.service: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeGreaterThan(0);
    expect(Number(exposure)).toBeLessThanOrEqual(mostExposure);
  });
});

test('docs/proxies.md names the unit, and what it reads', () => {
  const page = readPage('docs/proxies.md');
  for (const name of ['deploy/plinth.service', '/etc/plinth/environment', '/var/lib/plinth/files'])
    expect(page).toContain(name);
});
