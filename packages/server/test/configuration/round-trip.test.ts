// @postgres newest
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runDiff } from '../../src/commands/configuration/diff.ts';
import { runPull } from '../../src/commands/configuration/pull.ts';
import { runPush } from '../../src/commands/configuration/push.ts';
import { Client } from '../support/client.ts';
import { Dice, seed } from '../support/data/dice.ts';
import { useTestApp } from '../support/test-app.ts';
import { readFiles } from './config-folder.ts';
import { randomConfiguration } from './random-configuration.ts';

const t = useTestApp();
const rounds = 8;

test(`${rounds} random configurations come back byte for byte, by folder and from one to the next`, async () => {
  console.log(`PLINTH_SEED=${seed}`);
  const dice = new Dice(seed);
  const source = await t.createProject();
  const target = await t.createProject();
  const folder = await mkdtemp(join(tmpdir(), 'plinth-round-'));
  const addressOf = ({ ref, apiKey }: typeof source) => ({
    PLINTH_URL: `${t.url}/p/${ref}`,
    PLINTH_API_KEY: apiKey,
  });
  // A project may answer bare.
  const clientOf = ({ apiKey }: typeof source) =>
    new Client(t.url, { 'x-api-key': apiKey, 'x-response-format': 'envelope' });
  const [from, to] = [clientOf(source), clientOf(target)];
  const say = () => {};
  try {
    for (let round = 0; round < rounds; round += 1) {
      const given = randomConfiguration(dice);
      // From whatever the round before has left.
      const pushed = await from.put('/configuration?allowDestructive=true', given);
      expect(pushed.status, `${pushed.text}\n${JSON.stringify(given)}`).toBe(200);
      const { data } = (await from.get('/configuration')).body;
      expect(data.version).toBe(pushed.body.data.version);
      const again = await from.put('/configuration', given);
      expect(again.body.data.changes).toEqual([]);

      const [first, second] = [join(folder, `first-${round}`), join(folder, `second-${round}`)];
      await runPull(addressOf(source), [first], undefined);
      expect(await runDiff(addressOf(source), [first], undefined)).toMatchObject({ exitCode: 0 });
      await runPush(addressOf(target), [first, '--yes'], undefined, { say });
      await runPull(addressOf(target), [second], undefined);
      expect(await readFiles(second)).toEqual(await readFiles(first));
      const moved = (await to.get('/configuration')).body.data;
      expect(moved.version).toBe(data.version);
      expect(moved.configuration).toEqual(data.configuration);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
