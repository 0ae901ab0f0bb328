import { expect } from 'vitest';
import type { Page } from './browser.ts';

/** All that a page keeps on its device in a store. */
export const keptOnDevice = <Kept>(page: Page, store: 'lists' | 'writes') =>
  page.evaluate<Kept[]>(`indexedDB.databases().then((all) => Promise.all(all.map(({ name }) =>
    new Promise((resolve) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => {
        const reading = opening.result.transaction('${store}').objectStore('${store}').getAll();
        reading.onsuccess = () => {
          opening.result.close();
          resolve(reading.result);
        };
      };
    })))).then((stores) => stores.flat())`);

const listsOf = async (page: Page) => JSON.stringify(await keptOnDevice(page, 'lists'));
const has = (lists: string, text: string) => lists.includes(`"text":"${text}"`);

/** Waits until the device keeps these, which is a moment after they are shown. */
export const keeps = (page: Page, texts: readonly string[]) =>
  expect.poll(() => listsOf(page)).toSatisfy((lists: string) => texts.every((text) => has(lists, text)));

/** Waits until the device keeps none of these. */
export const keepsNone = (page: Page, texts: readonly string[]) =>
  expect.poll(() => listsOf(page)).toSatisfy((lists: string) => !texts.some((text) => has(lists, text)));
