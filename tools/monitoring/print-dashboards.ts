// Writes the dashboards for Grafana into a folder: deploy/grafana, or another.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Dashboard, dashboards, type Panel } from './dashboards.ts';

const folder = process.argv[2] ?? 'deploy/grafana';
const size = { w: 12, h: 8 };
const datasource = { type: 'prometheus', uid: '${datasource}' };

function panelOf({ title, unit, queries }: Panel, at: number) {
  return {
    id: at + 1,
    title,
    type: 'timeseries',
    datasource,
    gridPos: { ...size, x: (at % 2) * size.w, y: Math.floor(at / 2) * size.h },
    fieldConfig: {
      defaults: { unit, min: 0, custom: { fillOpacity: 10, showPoints: 'never' } },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom' },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: queries.map(({ expr, legend }, n) => ({
      refId: String.fromCharCode(65 + n),
      datasource,
      expr,
      legendFormat: legend,
    })),
  };
}

function boardOf({ uid, title, panels }: Dashboard) {
  return {
    uid,
    title,
    tags: ['plinth'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    time: { from: 'now-1h', to: 'now' },
    refresh: '30s',
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels.map(panelOf),
  };
}

mkdirSync(folder, { recursive: true });
for (const dashboard of dashboards)
  writeFileSync(join(folder, `${dashboard.uid}.json`), `${JSON.stringify(boardOf(dashboard), null, 2)}\n`);
