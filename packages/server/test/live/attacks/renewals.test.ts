// @postgres newest
import { expect, test } from 'vitest';
import { newPerson } from '../../support/people/people.ts';
import { bearer, liveApp } from '../live-app.ts';

test('15: a user that changes with very many subscriptions has to connect again; others are not kept waiting', async () => {
  await using t = await liveApp();
  await t.newCollection('notes', { rules: { read: 'owner=@user.data.name' } });
  const [ada, ben] = [await newPerson(t), await newPerson(t)];
  await using bens = await t.live(bearer(ben));
  await bens.subscribe('notes');
  const adas = await Promise.all(Array.from({ length: 11 }, () => t.live(bearer(ada))));
  for (const client of adas)
    for (let n = 0; n < 100; n += 1)
      client.send({ type: 'subscribe', id: `s${n}`, collection: 'notes', filter: `n__gt=${n}` });
  await Promise.all(
    adas.map(async (client) => {
      for (let n = 0; n < 100; n += 1) await client.next('subscribed');
    }),
  );
  await ada.me.patch('/auth-collections/user', { data: { name: 'Ada' } });
  for (const client of adas) expect((await client.closed).code).toBe(1012);

  // As many as people have are renewed as ever.
  await using again = await t.live(bearer(ada));
  await again.subscribe('notes');
  await ben.me.patch('/auth-collections/user', { data: { name: 'Ben' } });
  await bens.next('resync');
  await ada.me.patch('/auth-collections/user', { data: { name: 'Ada L.' } });
  await again.next('resync');
});
