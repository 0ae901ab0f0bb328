// @postgres newest
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMissing } from '../support/is-missing.ts';
import { readPage, repository } from '../support/markdown.ts';

const alerts = readFileSync(`${repository}deploy/prometheus/alerts.yaml`, 'utf8');
const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const grafana = `${repository}deploy/grafana`;

test('docs/monitoring.md lists every metric', () => {
  const printed = execFileSync(
    process.execPath,
    ['--conditions=@plinth/source', `${repository}tools/docs/print-metrics.ts`, '--print'],
    { encoding: 'utf8' },
  );
  expect(readPage('docs/monitoring.md')).toBe(printed);
});

test('the dashboards are what their description makes of them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plinth-dashboards-'));
  execFileSync(process.execPath, [`${repository}tools/monitoring/print-dashboards.ts`, folder]);
  const names = readdirSync(folder);
  expect(readdirSync(grafana)).toEqual(names);
  for (const name of names) expect(readJson(join(grafana, name))).toEqual(readJson(join(folder, name)));
  rmSync(folder, { recursive: true });
});

test('alerts and dashboards ask for metrics that there are', () => {
  const known = new Set(
    Array.from(readPage('docs/monitoring.md').matchAll(/^\| `(plinth_\w+)` \|/gm), ([, name]) => name!),
  );
  const asked = [
    alerts,
    ...readdirSync(grafana).map((name) => readFileSync(join(grafana, name), 'utf8')),
  ].join('\n');
  const names = new Set(asked.match(/plinth_\w+/g)?.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
  expect([...names].filter((name) => !known.has(name))).toEqual([]);
});

test('every alert is explained, and only those', () => {
  const there = new Set(Array.from(alerts.matchAll(/alert: (\w+)/g), ([, name]) => name!));
  const explained = new Set(readPage('docs/monitoring.md').match(/(?<=`)Plinth\w+(?=`)/g));
  expect(explained).toEqual(there);
});

test.skipIf(isMissing('prometheus'))('every alert fires when it should, and not before', () => {
  const folder = `${repository}deploy/prometheus`;
  const tested = readFileSync(`${folder}/alerts.test.yaml`, 'utf8');
  for (const [, name] of alerts.matchAll(/alert: (\w+)/g)) expect(tested).toContain(`alertname: ${name}\n`);
  const printed = execFileSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(printed).toContain('SUCCESS');
});
