import { attempt } from '../../src/index.ts';
import { type Check, client, codeOf, equal, memory, signedUp, truthy, unique } from './check.ts';

export const documents: Record<string, Check> = {
  'documents are created, found, changed and deleted': async (stage) => {
    const { plinth, user } = await signedUp(stage);
    const [notes, tag] = [plinth.collection('notes'), unique()];
    const created = await notes.create({ tag, text: 'one & only', n: 1 });
    equal(created.author_id, user.id, 'owner');
    equal(await notes.get(created.id), created);
    const { version } = await notes.getWithVersion(created.id);
    const changed = await notes.update(
      created.id,
      { text: 'two', $increment: { n: 1 } },
      { ifMatch: version },
    );
    equal([changed.text, changed.n], ['two', 2]);
    equal(await codeOf(notes.update(created.id, { n: 0 }, { ifMatch: version })), 'version_mismatch');
    await notes.createMany([
      { tag, text: 'x', n: 5, link_id: created.id },
      { tag, text: 'y', n: 4 },
    ]);
    equal(
      (await notes.where('tag', tag).orderBy('-n').all()).map(({ text }) => text),
      ['x', 'y', 'two'],
    );
    const linked = await notes.where('tag', tag).where('link.text', 'two').populate('link').first();
    equal(linked?.link?.text, 'two', 'populated');
    const seen: unknown[] = [];
    for await (const { n } of notes.where('tag', tag).orderBy('n')) seen.push(n);
    equal(seen, [2, 4, 5]);
    equal(
      await notes
        .where('tag', tag)
        .any((is) => [is('n', 'gt', 4), is('n', 2)])
        .count(),
      2,
    );
    await notes.delete(created.id);
    equal(await notes.find(created.id), undefined);
  },

  'failures have a code, a status and what to do': async (stage) => {
    const { plinth } = await signedUp(stage);
    const { error } = await attempt(client(stage).collection('notes').first());
    equal([error?.code, error?.status], ['credential_required', 401]);
    truthy(error?.requestId, 'there is a request id');
    equal(await codeOf(plinth.collection('notes').get('not-an-id')), 'document_not_found');
    const nowhere = client({ url: 'http://127.0.0.1:9/p/nothing' }, { retries: 0 });
    equal(await codeOf(nowhere.collection('notes').first()), 'network_failed');
    const controller = new AbortController();
    const aborted = plinth.collection('notes').first({ signal: controller.signal });
    controller.abort();
    equal(await aborted.catch((reason: Error) => reason.name), 'AbortError');
    const late = client(stage, {
      retries: 0,
      timeoutMs: 20,
      fetch: (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    });
    equal(await codeOf(late.collection('notes').first()), 'timed_out');
  },

  'a write whose answer is lost is done once': async (stage) => {
    let isLost = true;
    const storage = memory();
    await signedUp(stage, { storage });
    const lossy = client(stage, {
      storage,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (init?.method === 'POST' && isLost) {
          isLost = false;
          await answer.text();
          throw new TypeError('lost');
        }
        return answer;
      },
    });
    const [notes, tag] = [lossy.collection('notes'), unique()];
    await notes.create({ tag, text: 'once' });
    equal(await notes.where('tag', tag).count(), 1);
    truthy(!isLost, 'an answer was lost');
  },

  'files travel with their document': async (stage) => {
    const { plinth } = await signedUp(stage);
    const note = new File(['hello'], 'note.txt', { type: 'text/plain' });
    const created = await plinth.collection('notes').create({ tag: unique(), text: note });
    equal(await (await fetch(created.text)).text(), 'hello');
  },
};
