import { expect, test } from 'vitest';
import type { Page } from '../../../server/test/support/browser.ts';
import { isMissing } from '../../../server/test/support/is-missing.ts';
import type { AnyProject, Client, Collection } from '../../src/index.ts';
import { randomOf } from '../live/fuzz.ts';
import { unique } from '../suite/check.ts';
import { hasSentAll, type OfflineStage, openOfflineStage, shows } from './stage.ts';

/** What the page has. */
declare const window: { plinth: Client<AnyProject>; board: Collection<AnyProject, string>; tag: string };

const seconds = Number(process.env.PLINTH_TEST_SECONDS ?? 20);

type Random = (below: number) => number;

/** What every write that was kept should have come to. */
interface Ledger {
  /** Ids of documents that were created, with the sum of what was added to them. */
  readonly sums: Map<string, number>;
  readonly deleted: Set<string>;
  refused: number;
  writes: number;
}

/** One write, chosen at random; noted once the page says that it is kept. */
async function write(page: Page, random: Random, ledger: Ledger): Promise<void> {
  const ids = [...ledger.sums.keys()].filter((id) => !ledger.deleted.has(id));
  const id = ids[random(ids.length || 1)];
  const dice = random(10);
  if (id === undefined || dice < 3) {
    const made = await page.evaluate(
      async (text) => (await window.board.create({ tag: window.tag, text, n: 0 })).id,
      unique(),
    );
    ledger.sums.set(made, 0);
  } else if (dice < 8) {
    const by = 1 + random(9);
    await page.evaluate(
      async ([one, n]) => {
        await window.board.update(one, { $increment: { n } });
      },
      [id, by] as const,
    );
    ledger.sums.set(id, (ledger.sums.get(id) ?? 0) + by);
  } else if (dice === 8) {
    // The server knows no such operator, and says so.
    await page.evaluate(async (one) => {
      await window.board.update(one, { $multiply: { n: 2 } });
    }, id);
    ledger.refused += 1;
  } else {
    ledger.deleted.add(id);
    await page.evaluate((one) => window.board.delete(one), id);
  }
  ledger.writes += 1;
}

/** Something that happens to a device: a reload, or a tab that comes or goes. */
async function disturb(stage: OfflineStage, tag: string, tabs: Page[], random: Random): Promise<void> {
  const dice = random(4);
  if (dice === 0) await tabs[random(tabs.length)]?.reload();
  else if (dice === 1 && tabs.length < 3) tabs.push(await stage.newPage(tag, tabs[0]));
  else if (dice === 2 && tabs.length > 1) await tabs.splice(random(tabs.length), 1)[0]?.close();
}

test.skipIf(isMissing('chromium'))(
  `for ${seconds} s of cuts and reloads on two devices, no write is lost, and none is done twice`,
  async () => {
    await using stage = await openOfflineStage();
    const seed = Number(process.env.PLINTH_TEST_SEED ?? Date.now() % 100_000);
    const random = randomOf(seed);
    const tag = unique();
    const devices = [[await stage.newPage(tag)], [await stage.newPage(tag)]];
    for (const [page] of devices) await shows(page!, [], 'live');
    // Each device changes its own documents: what two do to one is decided by who comes first.
    const ledgers: Ledger[] = devices.map(() => ({
      sums: new Map(),
      deleted: new Set(),
      refused: 0,
      writes: 0,
    }));
    let [cuts, rounds] = [0, 0];
    const end = Date.now() + seconds * 1000;
    while (Date.now() < end) {
      rounds += 1;
      if (random(3) === 0) {
        if (stage.line.isCut) stage.line.mend();
        else stage.line.cut();
        cuts += 1;
      }
      for (const [at, tabs] of devices.entries()) {
        for (let count = random(4); count > 0; count -= 1)
          await write(tabs[random(tabs.length)]!, random, ledgers[at]!);
        await disturb(stage, tag, tabs, random);
      }
    }
    stage.line.mend();
    for (const [page] of devices) await hasSentAll(page!);

    // A total may be a floor: the pages say where the list ends.
    const documents: { id: string; text: string; n: number }[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path = `/collections/board?tag=${tag}&orderBy=text&limit=100${cursor && `&cursor=${cursor}`}`;
      const { body } = await stage.open.t.api.get(path);
      documents.push(...body.data);
      cursor = body.nextCursor;
    }
    const found = new Map(documents.map(({ id, n }) => [id, n]));
    const wanted = new Map(
      ledgers.flatMap(({ sums, deleted }) => [...sums].filter(([id]) => !deleted.has(id))),
    );
    const figures = {
      seed,
      rounds,
      cuts,
      writes: ledgers.map(({ writes }) => writes),
      refused: ledgers.map(({ refused }) => refused),
      documents: found.size,
    };
    console.log(JSON.stringify(figures));
    // First what was refused: it tells why a write is missing.
    for (const [at, [page]] of devices.entries())
      await expect
        .poll(() => page!.evaluate(() => window.plinth.outbox.get().refused.map(({ error }) => error?.code)))
        .toEqual(Array(ledgers[at]!.refused).fill('invalid_operator'));
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
    // And both devices show what is there.
    const texts = documents.map(({ text, n }) => `${text}:${n}`);
    if (texts.length <= 100) for (const [page] of devices) await shows(page!, texts, 'live');
  },
  900_000,
);
