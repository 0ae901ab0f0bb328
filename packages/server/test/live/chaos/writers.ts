import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../support/client.ts';
import type { History, Version } from './history.ts';

const states = ['a', 'b', 'c'];
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)]!;

/** Writes to documents of its own until told to stop, and notes what it was told is written. */
export async function writeOn(options: {
  readonly urls: () => readonly string[];
  readonly apiKey: string;
  readonly collection: string;
  readonly owners: readonly string[];
  readonly history: History;
  readonly isOver: () => boolean;
  readonly pauseMs: number;
}): Promise<void> {
  const { urls, apiKey, collection, owners, history, isOver, pauseMs } = options;
  const own: { id: string; n: number }[] = [];
  const path = `/collections/${collection}`;
  /** Nobody knows whether it was written. */
  const leaveAlone = (at: number) => {
    for (const { id } of own.splice(at, 1)) history.doubt(id);
  };
  while (!isOver()) {
    const api = new Client(pick(urls()), { 'x-api-key': apiKey });
    const dice = Math.random();
    const begunAt = performance.now();
    const at = Math.floor(Math.random() * own.length);
    const document = dice < 0.3 || own.length === 0 ? undefined : own[at]!;
    const version: Version = {
      n: (document?.n ?? 0) + 1,
      state: pick(states),
      level: 1 + Math.floor(Math.random() * 5),
      owner: pick(owners),
    };
    try {
      if (!document) {
        const reply = await api.post(path, version);
        if (reply.status === 201) {
          own.push({ id: reply.body.data.id, n: 1 });
          history.note(reply.body.data.id, version, begunAt);
        }
      } else if (dice < 0.9) {
        const reply = await api.patch(`${path}/${document.id}`, { ...version });
        if (reply.status === 200) {
          document.n = version.n;
          history.note(document.id, version, begunAt);
        } else leaveAlone(at);
      } else {
        const reply = await api.delete(`${path}/${document.id}`);
        if (reply.status === 200) history.note(document.id, 'deleted', begunAt);
        else history.doubt(document.id);
        own.splice(at, 1);
      }
    } catch {
      if (document) leaveAlone(at);
    }
    await sleep(pauseMs * (0.5 + Math.random()));
  }
}
