import type { Change, LiveState } from '../../src/index.ts';
import {
  type Check,
  client,
  equal,
  type Project,
  password,
  signedUp,
  truthy,
  unique,
  until,
} from './check.ts';

type Note = Project['collections']['notes'];

export const live: Record<string, Check> = {
  'a list is kept right, sorted as the server sorts it': async (stage) => {
    const { plinth } = await signedUp(stage);
    const [notes, tag] = [plinth.collection('notes'), unique()];
    const first = await notes.create({ tag, text: 'b', n: 2 });
    const list = notes.where('tag', tag).orderBy('n', '-text').live();
    let state: LiveState<Note> = list.get();
    equal(state.status, 'connecting');
    const stop = list.subscribe((next) => {
      state = next;
    });
    const shows = (texts: string) =>
      until(() => state.items.map(({ text }) => text).join('') === texts, texts);
    await shows('b');
    equal(state.status, 'live');
    await notes.create({ tag, text: 'a', n: 1 });
    await shows('ab');
    await notes.create({ tag, text: 'c', n: 2 });
    await shows('acb');
    await notes.update(first.id, { n: 0 });
    await shows('bac');
    await notes.delete(first.id);
    await shows('ac');
    equal(state.items, await notes.where('tag', tag).orderBy('n', '-text').all());
    // The same query, asked for anew, is the same subscription, and there at once.
    equal(plinth.collection('notes').where('tag', tag).orderBy('n', '-text').live().get(), state);
    stop();
  },

  'a window of a list, with linked records, is kept right': async (stage) => {
    const { plinth } = await signedUp(stage);
    const [notes, tag] = [plinth.collection('notes'), unique()];
    const top = await notes.create({ tag: 'top', text: 'top' });
    const query = notes.where('tag', tag).orderBy('-n').limit(2).populate('link');
    let items: readonly { n?: number; link: { text: string } | null }[] = [];
    const stop = query.live().subscribe((state) => {
      items = state.items;
    });
    for (const n of [1, 2, 3]) await notes.create({ tag, text: 'x', n, link_id: top.id });
    await until(() => items.map(({ n }) => n).join() === '3,2', 'the last two');
    equal(items[0]?.link?.text, 'top');
    stop();
  },

  'one document is kept right': async (stage) => {
    const { plinth } = await signedUp(stage);
    const notes = plinth.collection('notes');
    const { id } = await notes.create({ tag: unique(), text: 'a' });
    let text: string | undefined;
    let status = '';
    const stop = notes.liveDocument(id).subscribe((state) => {
      text = state.document?.text;
      status = state.status;
    });
    await until(() => text === 'a', 'it is there');
    await notes.update(id, { text: 'b' });
    await until(() => text === 'b', 'it changes');
    await notes.delete(id);
    await until(() => text === undefined && status === 'live', 'it is gone');
    stop();
  },

  'changes are followed one by one': async (stage) => {
    const { plinth } = await signedUp(stage);
    const [notes, tag] = [plinth.collection('notes'), unique()];
    const heard: Change<Note>[] = [];
    let isLive = false;
    const stop = notes.where('tag', tag).follow((change) => heard.push(change), {
      onStatus: (status) => {
        isLive = status === 'live';
      },
    });
    await until(() => isLive, 'it has begun');
    const { id } = await notes.create({ tag, text: 'a' });
    await notes.update(id, { text: 'b' });
    await notes.delete(id);
    await until(() => heard.length === 3, 'three changes');
    equal(
      heard.map(({ event }) => event),
      ['created', 'updated', 'deleted'],
    );
    stop();
  },

  'what may not be followed says why': async (stage) => {
    const { plinth } = await signedUp(stage);
    let state: LiveState<Note> | undefined;
    const stop = plinth
      .collection('notes')
      .where('link.text', 'x')
      .live()
      .subscribe((next) => {
        state = next;
      });
    await until(() => state?.status === 'refused', 'it is refused');
    equal(state?.error?.code, 'not_live');
    stop();
    const nobody = client(stage);
    const quiet = nobody
      .collection('notes')
      .live()
      .subscribe((next) => {
        state = next;
      });
    await until(() => state?.error?.code !== 'not_live' && state?.status === 'refused', 'nobody may read');
    quiet();
  },

  'a list belongs to whoever is signed in': async (stage) => {
    const { plinth, email } = await signedUp(stage);
    const [notes, tag] = [plinth.collection('notes'), unique()];
    await notes.create({ tag, text: 'mine' });
    let state: LiveState<Note> | undefined;
    const stop = notes
      .where('tag', tag)
      .live()
      .subscribe((next) => {
        state = next;
      });
    await until(() => state?.items.length === 1, 'it is shown');
    await plinth.auth.logOut();
    equal(state?.items, [], 'gone at once');
    await until(() => state?.status === 'refused', 'nobody may read it');
    await plinth.auth.logIn({ email, password });
    await until(() => state?.items.length === 1 && state.status === 'live', 'it is back');
    stop();
  },

  'people in a room hear each other': async (stage) => {
    const [ada, bob] = [await signedUp(stage), await signedUp(stage)];
    const name = `chat-${unique()}`;
    const [hers, his] = [ada.plinth.room(name), bob.plinth.room(name)];
    const heard: unknown[] = [];
    const stops = [hers.subscribe(() => {}), hers.onMessage((message) => heard.push(message))];
    stops.push(his.subscribe(() => {}));
    await until(() => hers.get().members.length === 2 && his.get().members.length === 2, 'both are there');
    truthy(his.say({ text: 'hello' }), 'it is said');
    await until(() => heard.length === 1, 'it is heard');
    equal(heard, [{ text: 'hello' }]);
    his.show({ typing: true });
    await until(() => hers.get().members.some(({ state }) => state !== undefined), 'his state is seen');
    const closed = ada.plinth.room('inbox-of-somebody-else');
    stops.push(closed.subscribe(() => {}));
    await until(() => closed.get().status === 'refused', 'a closed room');
    equal(closed.get().error?.code, 'room_closed');
    for (const stop of stops) stop();
  },
};
