import { type Client, createClient } from '@plinth/client';
import { StrictMode, Suspense, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useAuth, useDocument, useLive, useQuery, useRoom } from '../src/index.ts';

interface Project {
  readonly collections: { readonly notes: { tag: string; text: string; n?: number } };
  readonly user: { readonly data: { name?: string } };
}

const { searchParams } = new URL(location.href);
const plinth: Client<Project> = createClient<Project>({ url: searchParams.get('url') ?? '' });
const tag = searchParams.get('tag') ?? '';
Object.assign(globalThis, { plinth, renders: { list: 0 } });
const notes = plinth.collection('notes');

function App() {
  const { status, user } = useAuth(plinth);
  return (
    <main>
      <p id="auth">
        {status} {user?.data.name}
      </p>
      {user && (
        <Suspense fallback={<p id="waiting">waiting</p>}>
          <Notes />
        </Suspense>
      )}
    </main>
  );
}

function Notes() {
  const [order, setOrder] = useState<'n' | '-n'>('n');
  const [open, setOpen] = useState<string>();
  // Written anew at each rendering, and suspended until it is known.
  const { items, status } = useLive(notes.where('tag', tag).orderBy(order), { suspense: true });
  const again = useLive(notes.where('tag', tag).orderBy(order));
  const one = useDocument(notes, open);
  const once = useQuery(notes.where('tag', tag));
  const [said, setSaid] = useState<string[]>([]);
  const room = useRoom(plinth, `chat-${tag}`, (message) => setSaid((before) => [...before, String(message)]));
  (globalThis as unknown as { renders: { list: number } }).renders.list += 1;
  return (
    <section>
      <p id="list">{`${status} ${items.map(({ text }) => text).join(',')} = ${again.items.length}`}</p>
      <p id="one">{one.document?.text ?? 'none'}</p>
      <p id="once">{`${once.status} ${once.items.length}`}</p>
      <p id="room">{`${room.status} ${room.members.length} ${said.join(',')}`}</p>
      <button id="turn" type="button" onClick={() => setOrder('-n')}>
        Turn
      </button>
      <button id="open" type="button" onClick={() => setOpen(items[0]?.id)}>
        Open
      </button>
      <button id="say" type="button" onClick={() => room.say('hello')}>
        Say
      </button>
      <button id="again" type="button" onClick={once.reload}>
        Again
      </button>
    </section>
  );
}

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
