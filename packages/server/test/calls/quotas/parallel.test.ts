// @postgres newest
import { expect, test } from 'vitest';
import { Client } from '../../support/client.ts';
import { newCollection } from '../../support/data/new-collection.ts';
import { useTestApp } from '../../support/test-app.ts';

const limit = 2000;
const t = useTestApp({ TIERS: JSON.stringify({ enterprise: { documents: limit } }) });

test.each([1, 7])('20 writers of %i on two nodes end within one percent of the limit', async (size) => {
  const { apiKey, api } = await t.createProject();
  const { path } = await newCollection(api);
  const urls = [t.url, (await t.node()).url];
  await Promise.all(
    Array.from({ length: 20 }, async (_, writer) => {
      const node = new Client(urls[writer % 2]!, { 'x-api-key': apiKey });
      const documents = Array.from({ length: size }, () => ({ writer }));
      const write = () =>
        size === 1 ? node.post(path, { writer }) : node.post(`${path}/batch`, { documents });
      for (let written = 0; written <= limit; written += size) {
        const reply = await write();
        if (reply.status === 201) continue;
        expect(reply).toFailWith(403, 'quota_exceeded');
        return;
      }
    }),
  );
  const { documents } = (await api.get('/usage')).body.data;
  const { total } = (await api.get(`${path}?limit=1`)).body;
  expect(documents).toEqual({ used: total, limit });
  expect(total).toBeLessThanOrEqual(limit);
  expect(total).toBeGreaterThanOrEqual(limit * 0.99);
});
