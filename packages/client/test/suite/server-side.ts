import { type Check, client, codeOf, equal, truthy, unique } from './check.ts';

/** For runtimes where an API key may be. */
export const serverSide: Record<string, Check> = {
  'a server has users, collections and everything in them': async (stage) => {
    const server = client(stage, { apiKey: stage.apiKey ?? '' });
    const email = `${unique()}@example.com`;
    const user = await server.users.create({ email, role: 'editor', data: { name: 'Bob' } });
    equal((await server.users.get(user.id)).email, email);
    equal((await server.users.update(user.id, { claims: { plan: 'pro' } })).claims, { plan: 'pro' });
    const page = await server.users.page(`email_contains=${email}`);
    equal(
      page.items.map(({ id }) => id),
      [user.id],
    );
    await server.users.delete(user.id);
    equal(await codeOf(server.users.get(user.id)), 'user_not_found');
    const name = `c${unique()}`;
    const made = await server.collections.create({ name, settings: { rules: { read: 'public' } } });
    equal([made.name, made.settings.rules?.read], [name, 'public']);
    const records = server.collection(name as 'board');
    await records.create({ tag: 'x', text: 'y' });
    equal((await server.collections.shape(name)).sampled, 1);
    equal(
      (await server.collections.update(name, { settings: { ownerField: 'author_id' } })).settings.ownerField,
      'author_id',
    );
    truthy(
      (await server.collections.list()).some((one) => one.name === name),
      'it is in the list',
    );
    await server.collections.delete(name);
    equal(await codeOf(records.first()), 'collection_not_found');
  },
};
