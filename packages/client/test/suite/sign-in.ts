import {
  type Check,
  client,
  codeOf,
  equal,
  memory,
  password,
  signedUp,
  truthy,
  unique,
  until,
} from './check.ts';

const keptIn = (storage: ReturnType<typeof memory>) => {
  const [[key, text] = ['', '{}']] = [...storage.kept];
  return { key, session: JSON.parse(text) as Record<string, unknown> };
};

/** As if the token had been made long ago. */
function age(storage: ReturnType<typeof memory>, change: Record<string, unknown>): void {
  const { key, session } = keptIn(storage);
  storage.kept.set(key, JSON.stringify({ ...session, ...change }));
}

export const signIn: Record<string, Check> = {
  'people sign up, out and in, and listeners hear of it': async (stage) => {
    const plinth = client(stage);
    const heard: string[] = [];
    const stop = plinth.auth.subscribe(({ status }) => heard.push(status));
    const email = `${unique()}@example.com`;
    const user = await plinth.auth.signUp({ email, password, data: { name: 'Ada' } });
    equal([plinth.auth.user?.id, plinth.auth.user?.data.name], [user.id, 'Ada']);
    await plinth.auth.logOut();
    equal(plinth.auth.state, { status: 'signed-out', user: null, reason: 'logged-out' });
    equal(await codeOf(plinth.auth.logIn({ email, password: 'wrong' })), 'invalid_login');
    const result = await plinth.auth.logIn({ email, password });
    equal(result.user?.id, user.id);
    equal(heard, ['signed-out', 'signed-in', 'signed-out', 'signed-in']);
    stop();
    equal((await plinth.auth.update({ data: { name: 'Ada L.' } })).data.name, 'Ada L.');
    equal(plinth.auth.user?.data.name, 'Ada L.');
    await plinth.auth.changePassword(password, 'a better horse');
    equal((await plinth.auth.reload()).id, user.id);
    await plinth.auth.deleteAccount('a better horse');
    equal(plinth.auth.user, null);
  },

  'a sign-in is there at once when the page comes back': async (stage) => {
    const storage = memory();
    const { user } = await signedUp(stage, { storage });
    const again = client(stage, { storage });
    equal(again.auth.state.status, 'signed-in');
    equal((await again.auth.reload()).id, user.id);
    const slow = client(stage, {
      storage: { ...storage, getItem: async (key) => storage.getItem(key) },
    });
    equal(slow.auth.state.status, 'loading');
    equal((await slow.auth.ready()).user?.id, user.id);
  },

  'an expired token is traded before the call, and an old one on the side': async (stage) => {
    const storage = memory();
    const { user } = await signedUp(stage, { storage });
    const first = keptIn(storage).session;
    age(storage, { expiresAt: 1 });
    const late = client(stage, { storage });
    equal((await late.auth.reload()).id, user.id);
    const second = keptIn(storage).session;
    truthy(second.token !== first.token && second.refreshToken !== first.refreshToken, 'both are new');
    age(storage, { refreshAt: 1 });
    const old = client(stage, { storage });
    equal((await old.auth.reload()).id, user.id);
    await until(() => keptIn(storage).session.refreshToken !== second.refreshToken, 'it is traded');
    equal((await old.auth.reload()).id, user.id);
  },

  'a trade whose answer is lost is repeated, also by the next visit': async (stage) => {
    const storage = memory();
    const { user } = await signedUp(stage, { storage });
    age(storage, { expiresAt: 1 });
    const isTrade = (url: unknown) => String(url).endsWith('/refresh');
    const cut = client(stage, {
      storage,
      retries: 0,
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (isTrade(url)) throw new TypeError('lost');
        return answer;
      },
    });
    equal(await codeOf(cut.auth.reload()), 'network_failed');
    equal(cut.auth.state.status, 'signed-in', 'still');
    equal((await client(stage, { storage }).auth.reload()).id, user.id);
  },

  'calls that find the token expired at once trade it once': async (stage) => {
    const storage = memory();
    const { user } = await signedUp(stage, { storage });
    age(storage, { expiresAt: 1 });
    let trades = 0;
    const plinth = client(stage, {
      storage,
      fetch: (url, init) => {
        if (typeof url === 'string' && url.endsWith('/refresh')) trades += 1;
        return fetch(url, init);
      },
    });
    const calls = await Promise.all([1, 2, 3].map(() => plinth.auth.reload()));
    equal(
      calls.map(({ id }) => id),
      [user.id, user.id, user.id],
    );
    equal(trades, 1, 'trades');
  },

  'a sign-in that was ended elsewhere is over at the next call': async (stage) => {
    const { plinth, email } = await signedUp(stage);
    const phone = client(stage);
    await phone.auth.logIn({ email, password });
    const listed = await plinth.auth.signIns.list();
    equal(listed.length, 2);
    await plinth.auth.signIns.end(listed.find(({ current }) => !current)?.id ?? '');
    equal(await codeOf(phone.auth.reload()), 'invalid_credentials');
    equal(phone.auth.state, { status: 'signed-out', user: null, reason: 'refused' });
    equal(plinth.auth.state.status, 'signed-in');
    equal(await plinth.auth.signIns.identities(), []);
    equal(await plinth.auth.authenticator.status(), { email: false, totp: false, recoveryCodes: 0 });
    equal(await plinth.auth.passkeys.list(), []);
  },

  'a server acts for a user by their token alone': async (stage) => {
    const storage = memory();
    const { user } = await signedUp(stage, { storage });
    const token = String(keptIn(storage).session.token);
    const server = client(stage, { token });
    equal(server.auth.state.status, 'loading');
    equal((await server.auth.ready()).user?.id, user.id);
    const { reason } = (await client(stage, { token: `${token}x` }).auth.ready()) as { reason?: string };
    equal(reason, 'refused');
  },
};
