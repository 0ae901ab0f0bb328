// @postgres newest
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Dice, seed } from '../support/data/dice.ts';
import { kills } from '../support/kills.ts';
import { startNodeOf } from '../support/nodes/plinth-process.ts';
import { useTestApp } from '../support/test-app.ts';
import { ConfigFolder } from './config-folder.ts';

const t = useTestApp();

/** Large enough that a push takes a while. */
function bigConfiguration(mark: number) {
  const names = Array.from({ length: 20 }, (_, at) => `c${mark}_${at}`);
  const indexes = [{ kind: 'sort', fields: ['a', '-b'] }];
  return {
    collections: Object.fromEntries(names.map((name) => [name, { rules: { read: 'public' }, indexes }])),
    configs: { FRONTEND_URL: `https://${mark}.example.com`, OTP_LENGTH: 4 + (mark % 6) },
    settings: { uploads: mark % 2 === 0 ? 'users' : 'server', rooms: { [`room-${mark}`]: 'users' } },
    allowedOrigins: [`https://${mark}.example.com`],
    mails: { 'welcome.en': { subject: `Hello ${mark}`, body: 'Good to have you.' } },
  };
}

type Big = ReturnType<typeof bigConfiguration>;

/** What is in the cell is of one push, whichever. What control keeps is of one push too, perhaps of another. */
function expectWhole(now: Big, pushes: readonly Big[]): void {
  const inCell = ({ collections, mails }: Big) => [Object.keys(collections).toSorted(), mails];
  const inControl = ({ configs, allowedOrigins }: Big) => [configs, allowedOrigins];
  expect(pushes.map(inCell)).toContainEqual(inCell(now));
  expect(pushes.map(inControl)).toContainEqual(inControl(now));
}

const empty = {
  ...bigConfiguration(0),
  collections: {},
  mails: {},
  configs: {},
  allowedOrigins: [],
} as unknown as Big;

test(`${kills} nodes killed in the middle of a push: each part is whole, and the same push does the rest`, async () => {
  console.log(`PLINTH_SEED=${seed}`);
  const dice = new Dice(seed);
  let before = empty;
  let longestMs = 400;
  // In another cell than control: two databases.
  const project = t.projects.find(({ cell }) => cell === 2)!;
  for (let mark = 1; mark <= kills; mark += 1) {
    const wanted = bigConfiguration(mark);
    const { process, url } = await startNodeOf(t);
    const headers = { 'x-api-key': project.apiKey, 'content-type': 'application/json' };
    const push = fetch(`${url}/configuration?allowDestructive=true`, {
      method: 'PUT',
      headers,
      body: JSON.stringify(wanted),
    }).catch(() => undefined);
    await sleep(dice.between(5, longestMs));
    await process.stop('SIGKILL');
    await push;
    const left = (await project.api.get('/configuration')).body.data.configuration;
    expectWhole(left, [before, wanted]);
    const startedAt = performance.now();
    const again = await project.api.put('/configuration?allowDestructive=true', wanted);
    longestMs = Math.ceil(performance.now() - startedAt) + 100;
    expect(again.status, again.text).toBe(200);
    expect((await project.api.get('/configuration')).body.data.configuration).toMatchObject(wanted);
    expect((await project.api.put('/configuration', wanted)).body.data.changes).toEqual([]);
    before = wanted;
  }
});

test(`${kills} plinth push that are killed: run again, each ends as if it had not been`, async () => {
  const dice = new Dice(seed + 1);
  await using folder = await ConfigFolder.make();
  const { ref, apiKey, api } = await t.createProject();
  const target = { url: `${t.url}/p/${ref}`, apiKey };
  for (let mark = 1; mark <= kills; mark += 1) {
    const wanted = bigConfiguration(mark);
    const { collections, mails, ...project } = wanted;
    await folder.write('project.json', project);
    if (mark > 1) await folder.remove('collections');
    for (const [name, content] of Object.entries(collections))
      await folder.write(`collections/${name}.json`, content);
    await folder.write(
      'mails/welcome.en.txt',
      `Subject: ${mails['welcome.en'].subject}\n\nGood to have you.\n`,
    );
    const push = folder.start(target, 'push', '--yes');
    await push.untilPrinted('stdout', /Making/);
    await sleep(dice.between(0, 300));
    await push.stop('SIGKILL');
    const again = await folder.run(target, 'push', '--yes');
    expect(again.code, again.stderr).toBe(0);
    expect((await api.get('/configuration')).body.data.configuration).toMatchObject(wanted);
  }
});
