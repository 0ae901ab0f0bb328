// @postgres newest
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMissing } from '../support/is-missing.ts';
import { repository } from '../support/markdown.ts';
import { startPrometheus } from '../support/prometheus.ts';
import { useTestApp } from '../support/test-app.ts';

interface DashboardFile {
  readonly title: string;
  readonly panels: readonly { title: string; targets: readonly { expr: string }[] }[];
}

const folder = `${repository}deploy/grafana`;
const panels = readdirSync(folder).flatMap((name) => {
  const { title, panels } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as DashboardFile;
  return panels.flatMap((panel) =>
    panel.targets.map(({ expr }) => ({ name: `${title}, ${panel.title}: ${expr}`, expr })),
  );
});

const t = useTestApp();

test.skipIf(isMissing('prometheus'))(
  'a real Prometheus has an answer to every question of the dashboards',
  async () => {
    await using prometheus = await startPrometheus(t.app.adminUrl!);
    const { api } = await t.createProject();
    await api.post('/collections', { name: 'books' });
    const use = async () => {
      const { body } = await api.post('/collections/books', { title: 'A book' });
      await api.get(`/collections/books/${(body as { data: { id: string } }).data.id}`);
      await api.get('/collections/books');
      await api.get('/collections/books/none');
    };
    const unanswered = async () => {
      await use();
      const open: string[] = [];
      for (const { name, expr } of panels) {
        const found = await prometheus.query(expr.replaceAll('$__rate_interval', '2m'));
        if (!found?.some(({ value }) => value[1] !== 'NaN')) open.push(name);
      }
      return open;
    };
    expect(panels.length).toBeGreaterThan(45);
    await expect.poll(unanswered, { interval: 1000 }).toEqual([]);
    const [up] = (await prometheus.query('up{job="plinth"}')) ?? [];
    expect(up?.value[1]).toBe('1');
  },
);
