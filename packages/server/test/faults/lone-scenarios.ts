import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call } from './call.ts';
import { conduct, usualGraceMs } from './conduct.ts';
import { LoneStage } from './lone-stage.ts';
import { loneStrikes } from './lone-strikes.ts';
import type { Rig, Scenario } from './scenario.ts';

const faultMs = 10_000;

/** Faults of a deployment without standbys. */
export const loneScenarios: readonly Scenario[] = [
  ...loneStrikes.map(
    ({ name, strike, stopsNode }): Scenario => ({
      name,
      postgres: 18,
      run: async () => {
        await using stage = await LoneStage.open();
        return await conduct({
          nodes: stage.nodes,
          databaseUrl: stage.postgres.url,
          strike: () => strike(stage, faultMs),
          ...(stopsNode && { gapsOf: 'service' }),
        });
      },
    }),
  ),
  { name: 'commits take 100 ms', postgres: 18, run: slowCommits },
  { name: 'disk of PostgreSQL full', postgres: 18, run: fullDisk },
  {
    name: 'clock of a node an hour ahead, then right again',
    postgres: 18,
    isMissing: missesFaketime,
    run: wrongClock,
  },
];

async function slowCommits() {
  await using stage = await LoneStage.open();
  const { nodes, postgres } = stage;
  const delay = async (microseconds: number) => {
    await postgres.query(`ALTER SYSTEM SET commit_delay = ${microseconds}`);
    await postgres.query('ALTER SYSTEM SET commit_siblings = 0');
    await postgres.query('SELECT pg_reload_conf()');
  };
  const strike = async () => {
    await delay(100_000);
    await sleep(faultMs);
    await delay(0);
  };
  return await conduct({ nodes, databaseUrl: postgres.url, strike });
}

async function fullDisk({ folder: home }: Rig) {
  const folder = join(home, 'small');
  await mkdir(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'small', folder]);
  try {
    await using stage = await LoneStage.open({ folder });
    const { nodes, postgres } = stage;
    const strike = async () => {
      const filling = join(folder, 'filling');
      const free = execFileSync('df', ['--output=avail', '-B1', folder], { encoding: 'utf8' }).split('\n')[1];
      execFileSync('fallocate', ['-l', String(Number(free) - 65_536), filling]);
      await sleep(faultMs);
      await rm(filling);
      await postgres.ensureRunning();
    };
    // A row of the probe may fit where no document does.
    const graceMs = faultMs + usualGraceMs;
    return await conduct({ nodes, databaseUrl: postgres.url, strike, graceMs });
  } finally {
    execFileSync('umount', ['--lazy', folder]);
  }
}

const faketime = (): string | undefined => globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];

function missesFaketime(): string | undefined {
  return faketime() === undefined ? 'libfaketime is not installed' : undefined;
}

/** How far the time of a document may be from ours. */
const mostSkewMs = 15_000;

async function wrongClock({ folder }: Rig) {
  const clock = join(folder, 'clock');
  await writeFile(clock, '+0\n');
  const settings = {
    LD_PRELOAD: faketime()!,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  await using stage = await LoneStage.open({ each: [{}, settings] });
  const { nodes, postgres } = stage;
  const strike = async () => {
    await writeFile(clock, '+3600\n');
    await sleep(faultMs);
    await writeFile(clock, '+0\n');
  };
  const inspect = async () => {
    const asked = { method: 'POST', path: '/collections/faults', body: { name: 'after' } } as const;
    const { document } = await call(nodes.urls[1]!, nodes.project.apiKey, asked);
    const skewMs = Date.parse(String(document.createdAt)) - Date.now();
    if (Math.abs(skewMs) < mostSkewMs) return [];
    return [`A document made later is ${Math.round(skewMs / 1000)} s in the future.`];
  };
  return await conduct({ nodes, databaseUrl: postgres.url, strike, inspect });
}
