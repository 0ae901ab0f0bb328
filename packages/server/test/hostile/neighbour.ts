import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Reply } from '../support/client.ts';
import { image } from '../support/files/contents.ts';
import { LiveClient } from '../support/live-client.ts';
import { Figures, type Kind } from './figures.ts';

/** A modest pace: what a small app with a few people on it does. */
const perSecond: Readonly<Record<Exclude<Kind, 'event'>, number>> = {
  read: 20,
  'read as user': 10,
  list: 10,
  create: 5,
  login: 1,
  picture: 1,
};
/** Nobody waits longer. */
const longestMs = 10_000;
/** Each may try ten passwords a minute. */
const people = 12;

interface Home {
  readonly ref: string;
  readonly apiKey: string;
}

/** What a project that nobody attacks goes on doing: each call at its time, whether the one before was answered or not. */
export class Neighbour implements AsyncDisposable {
  readonly #server: Client;
  readonly #door: Client;
  readonly #me: Client;
  readonly #ids: readonly string[];
  readonly #emails: readonly string[];
  readonly #picture: Buffer;
  readonly #live: LiveClient;
  readonly #timers: NodeJS.Timeout[];
  #figures = new Figures();
  #count = 0;
  /** Of their own: everybody has a turn, however late the other calls are. */
  #logins = 0;

  private constructor(url: string, home: Home, { me, ids, emails, picture, live }: Furniture) {
    this.#server = new Client(url, { 'x-api-key': home.apiKey });
    this.#door = new Client(`${url}/p/${home.ref}`);
    [this.#me, this.#ids, this.#emails, this.#picture, this.#live] = [me, ids, emails, picture, live];
    this.#timers = Object.entries(perSecond).map(([kind, rate]) =>
      setInterval(() => this.#act(kind as Kind), 1000 / rate),
    );
  }

  static async moveIn(url: string, home: Home): Promise<Neighbour> {
    return new Neighbour(url, home, await furnish(url, home));
  }

  /** Begins a stretch of time. */
  begin(): Figures {
    this.#figures = new Figures();
    return this.#figures;
  }

  #act(kind: Kind): void {
    const startedAt = performance.now();
    const figures = this.#figures;
    const n = (this.#count += 1);
    const work = this.#do(kind, n);
    figures.follow(kind, work, startedAt);
    if (kind !== 'create') return;
    const heard = work.then((id) => this.#hears(id as string));
    // What was not created fails once, as that.
    void work.then(
      () => figures.follow('event', heard, startedAt),
      () => {},
    );
    heard.catch(() => {});
  }

  async #do(kind: Kind, n: number): Promise<unknown> {
    const document = `/collections/quiet/${this.#ids[n % this.#ids.length]}`;
    switch (kind) {
      case 'read':
        return expectStatus(200, this.#server.get(document));
      case 'read as user':
        return expectStatus(200, this.#me.get(document));
      case 'list':
        return expectStatus(200, this.#server.get(`/collections/quiet?state=a&limit=20&offset=${n % 20}`));
      case 'create':
        return (await expectStatus(201, this.#server.post('/collections/quiet', { n, state: 'b' }))).body.data
          .id;
      case 'login':
        return this.#logIn((this.#logins += 1));
      case 'picture':
        return this.#showPicture(n);
      case 'event':
    }
  }

  #logIn(n: number): Promise<Reply> {
    const body = { email: this.#emails[n % people], password: 'correct horse' };
    const headers = { 'x-forwarded-for': `192.0.2.${n % 250}` };
    return expectStatus(200, this.#door.post('/auth-collections/login', body, { headers }));
  }

  /** Uploads a picture, and asks for it in another size. */
  async #showPicture(n: number): Promise<void> {
    const url = await uploadPicture(this.#server, this.#picture);
    const headers = { 'x-forwarded-for': `192.0.2.${n % 250}` };
    await expectStatus(200, new Client('').get(`${url}?w=20`, { headers }));
  }

  async #hears(id: string): Promise<void> {
    await this.#live.next('event', ({ document }) => document.id === id, longestMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#live[Symbol.asyncDispose]();
  }
}

interface Furniture {
  readonly me: Client;
  readonly ids: readonly string[];
  readonly emails: readonly string[];
  readonly picture: Buffer;
  readonly live: LiveClient;
}

/** A collection, people who log in, and somebody who follows the collection. */
async function furnish(url: string, { ref, apiKey }: Home): Promise<Furniture> {
  const server = new Client(url, { 'x-api-key': apiKey });
  await server.post('/collections', { name: 'quiet' });
  await expectStatus(200, server.patch('/collections/quiet', { settings: { rules: { read: 'users' } } }));
  const documents = Array.from({ length: 50 }, (_, n) => ({
    n,
    state: 'a',
    text: 'A note of usual length. '.repeat(8),
  }));
  const { body } = await expectStatus(201, server.post('/collections/quiet/batch', { documents }));
  const emails: string[] = [];
  let token = '';
  for (let n = 0; n < people; n += 1) {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    const signUp = { email, password: 'correct horse' };
    const headers = { 'x-forwarded-for': `192.0.2.${n}` };
    const reply = await expectStatus(
      201,
      new Client(`${url}/p/${ref}`).post('/auth-collections/signup', signUp, { headers }),
    );
    token = reply.body.data.access_token;
    emails.push(email);
  }
  const live = await LiveClient.open(url, { 'x-api-key': apiKey });
  await live.subscribe('quiet');
  return {
    me: new Client(url, { authorization: `Bearer ${token}` }),
    ids: body.data.map(({ id }: { id: string }) => id),
    emails,
    picture: await image('png'),
    live,
  };
}

async function uploadPicture(server: Client, picture: Buffer): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(picture)]), 'picture.png');
  const { headers, body } = new Request('http://localhost', { method: 'POST', body: form });
  const raw = Buffer.from(await new Response(body).arrayBuffer());
  const options = { raw, headers: { 'content-type': headers.get('content-type')! } };
  const reply = await expectStatus(201, server.post('/storage/upload', undefined, options));
  return reply.body.data.url;
}

async function expectStatus(status: number, call: Promise<Reply>): Promise<Reply> {
  const late = sleep(longestMs, undefined, { ref: false }).then(() => {
    throw new Error(`no answer for ${longestMs / 1000} s`);
  });
  const reply = await Promise.race([call, late]);
  if (reply.status !== status) throw new Error(`${reply.status} ${reply.text.slice(0, 200)}`);
  return reply;
}
