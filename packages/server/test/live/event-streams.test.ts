// @postgres newest
import { describe, expect, test } from 'vitest';
import { newPerson } from '../support/people/people.ts';
import { beginFeed, engines, type LiveApp, liveApp } from './live-app.ts';

interface Received {
  readonly id: string | undefined;
  readonly event: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** Reads Server-Sent Events, as a browser would. */
async function* received(response: Response): AsyncGenerator<Received> {
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const fields = Object.fromEntries(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      text = text.slice(end + 2);
      if (fields.data !== undefined)
        yield { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
    }
  }
}

async function open(t: LiveApp, path: string, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await fetch(`${t.url}${path}`, { headers, signal: stop.signal });
  const events = response.ok ? received(response) : undefined;
  return {
    response,
    next: async (event: string): Promise<Received> => {
      for (;;) {
        const { value, done } = await events!.next();
        if (done) throw new Error(`The stream ended without "${event}".`);
        if (value.event === event) return value;
      }
    },
    [Symbol.dispose]: () => stop.abort(),
  };
}

describe.each(engines)('Server-Sent Events, %s', (_, overrides) => {
  test('changes arrive, and Last-Event-ID continues where it was', async () => {
    await using t = await liveApp(overrides());
    const key = { 'x-api-key': t.projects[0].apiKey };
    await t.api.post('/collections', { name: 'notes' });
    await beginFeed(t, 'notes');
    let last: string;
    {
      using stream = await open(t, '/realtime/sse/notes?state=open', key);
      expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      await stream.next('subscribed');
      await t.api.post('/collections/notes', { state: 'closed' });
      const { body } = await t.api.post('/collections/notes', { state: 'open' });
      const event = await stream.next('event');
      expect(event.data).toMatchObject({ event: 'created', document: body.data });
      last = event.id!;
    }
    const { body } = await t.api.post('/collections/notes', { state: 'open' });
    using again = await open(t, '/realtime/sse/notes?state=open', { ...key, 'last-event-id': last });
    expect((await again.next('event')).data.document).toEqual(body.data);
  });

  test('a ticket admits once, for whoever asked for it', async () => {
    await using t = await liveApp(overrides());
    const ada = await newPerson(t);
    await t.newCollection('notes', { rules: { read: 'owner' }, ownerField: 'owner' });
    await beginFeed(t, 'notes');
    const { body } = await ada.me.post('/realtime/ticket');
    const { ticket } = body.data;
    using stream = await open(t, `/realtime/sse/notes?ticket=${ticket}&snapshot=true`);
    // Whoever is cut off before the snapshot is whole must not come back without it.
    expect((await stream.next('subscribed')).id).toBeUndefined();
    const snapshot = await stream.next('snapshot');
    expect(snapshot.data.documents).toEqual([]);
    expect(snapshot.id).toBe(snapshot.data.cursor);
    await t.api.post('/collections/notes', { owner: 'somebody else' });
    const own = await t.api.post('/collections/notes', { owner: ada.id });
    expect((await stream.next('event')).data.document.id).toBe(own.body.data.id);
    const all = await Promise.all(
      Array.from({ length: 20 }, () => open(t, `/realtime/sse/notes?ticket=${ticket}`)),
    );
    expect(all.map(({ response }) => response.status)).toEqual(all.map(() => 401));
    const another = (await ada.me.post('/realtime/ticket')).body.data.ticket as string;
    const tried = await Promise.all(
      Array.from({ length: 20 }, () => open(t, `/realtime/sse/notes?ticket=${another}`)),
    );
    expect(tried.filter(({ response }) => response.ok)).toHaveLength(1);
    for (const one of tried) one[Symbol.dispose]();
  });

  test('what is wrong with the call is answered as everywhere', async () => {
    await using t = await liveApp(overrides());
    const key = { 'x-api-key': t.projects[0].apiKey };
    const statusOf = async (path: string) => {
      using stream = await open(t, path, key);
      return stream.response.status;
    };
    await t.api.post('/collections', { name: 'notes' });
    expect(await statusOf('/realtime/sse/nowhere')).toBe(404);
    expect(await statusOf('/realtime/sse/notes?a__nothing=1')).toBe(400);
    expect(await statusOf('/realtime/sse/notes?ticket=made.up')).toBe(401);
    expect(await statusOf('/realtime/sse/notes?ticket=%zz')).toBe(401);
    await using small = await liveApp({ ...overrides(), REALTIME_CONNECTIONS: '1' });
    await small.api.post('/collections', { name: 'notes' });
    await using taken = await small.live();
    using refused = await open(small, '/realtime/sse/notes', { 'x-api-key': small.projects[0].apiKey });
    expect(refused.response.status).toBe(400);
    expect(taken.messages).toEqual([]);
  });
});
