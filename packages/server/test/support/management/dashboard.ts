import { inviteAccount } from '../../../src/features/management/accounts/index.ts';
import { Client, type Reply } from '../client.ts';
import type { TestApp } from '../test-app.ts';

export const goodPassword = 'correct horse battery staple';

/** Somebody at the dashboard: calls as its pages make them, with the cookie that the service has set. */
export class Dashboard {
  readonly #client: Client;
  #cookie: string | undefined;

  constructor(url: string, cookie?: string) {
    this.#client = new Client(url, { 'x-plinth-dashboard': '1' });
    this.#cookie = cookie;
  }

  get cookie(): string {
    return this.#cookie ?? '';
  }

  /** The same person at another node. */
  at(url: string): Dashboard {
    return new Dashboard(url, this.#cookie);
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const reply = await this.#client.call(method, `/management${path}`, body, {
      headers: { ...(this.#cookie !== undefined && { cookie: this.#cookie }), ...headers },
    });
    const [set] = reply.headers.getSetCookie();
    if (set !== undefined) this.#cookie = set.split(';', 1)[0];
    return reply;
  }

  get = (path: string) => this.call('GET', path);
  post = (path: string, body?: unknown) => this.call('POST', path, body);
  put = (path: string, body?: unknown) => this.call('PUT', path, body);
  patch = (path: string, body?: unknown) => this.call('PATCH', path, body);
  delete = (path: string) => this.call('DELETE', path);
}

export interface Manager extends Dashboard {
  readonly id: string;
  readonly email: string;
}

/** Somebody with an account, signed in. */
export async function newManager(t: Pick<TestApp, 'url' | 'control'>, email: string): Promise<Manager> {
  const invitation = await inviteAccount(t.control, email);
  const dashboard = new Dashboard(t.url);
  const reply = await dashboard.post('/accounts', { email, password: goodPassword, invitation });
  if (reply.status !== 201) throw new Error(reply.text);
  return Object.assign(dashboard, { id: String(reply.body.data.id), email });
}

/** A program with a personal access token of that person. */
export async function tokenOf(
  t: Pick<TestApp, 'url'>,
  person: Dashboard,
  wish: Record<string, unknown> = {},
): Promise<Client> {
  const made = await person.post('/tokens', { name: 'a program', access: 'write', ...wish });
  if (made.status !== 201) throw new Error(made.text);
  return new Client(`${t.url}/management`, { authorization: `Bearer ${made.body.data.token}` });
}

/** A project of that person. */
export async function newProject(person: Dashboard, name = 'Shop'): Promise<{ ref: string; apiKey: string }> {
  const made = await person.post('/projects', { name });
  if (made.status !== 201) throw new Error(made.text);
  return made.body.data;
}
