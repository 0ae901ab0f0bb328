import { Client, type Reply } from '../client.ts';
import { type TestApp, testApp } from '../test-app.ts';

type Fields = Record<string, unknown>;

export interface Person {
  readonly id: string;
  readonly client: Client;
}

interface Settings {
  readonly rules?: Partial<Record<'read' | 'create' | 'update' | 'delete', string>>;
  readonly ownerField?: string | null;
  readonly hiddenFields?: readonly string[];
  readonly fieldRules?: Record<string, { create?: string; update?: string }>;
  readonly schema?: Fields | null;
}

/** A project with collections and people in it, and short ways to set it up. */
export class Stage implements AsyncDisposable {
  readonly t: TestApp;
  readonly api: Client;
  /** Someone with no credential, who knows the project's address. */
  readonly anonymous: Client;
  readonly ref: string;
  #made = 0;

  constructor(t: TestApp, project: { ref: string; api: Client } = t.projects[0]) {
    this.t = t;
    this.ref = project.ref;
    this.api = project.api;
    this.anonymous = new Client(`${t.url}/p/${project.ref}`);
  }

  static async open(overrides?: Record<string, string>): Promise<Stage> {
    return new Stage(await testApp(overrides));
  }

  [Symbol.asyncDispose] = () => this.t[Symbol.asyncDispose]();

  /** A collection of a name that no other test has, open to everyone unless settings say otherwise. */
  async collection(settings: Settings = {}, label = 'things'): Promise<string> {
    this.#made += 1;
    const name = `${label}${this.#made}`;
    await succeed(this.api.post('/collections', { name }));
    const open = { read: 'public', create: 'public', update: 'public', delete: 'public' };
    await this.settings(name, { ...settings, rules: { ...open, ...settings.rules } });
    return name;
  }

  async settings(name: string, settings: Settings): Promise<Reply> {
    const reply = await this.api.patch(`/collections/${name}`, { settings });
    if (reply.status !== 200) throw new Error(`settings of ${name}: ${reply.text}`);
    return reply;
  }

  /** Creates a document with the API key. */
  async document(collection: string, fields: Fields): Promise<Fields & { id: string }> {
    return succeed(this.api.post(`/collections/${collection}`, fields));
  }

  async documents(collection: string, documents: readonly Fields[]): Promise<(Fields & { id: string })[]> {
    return succeed(this.api.post(`/collections/${collection}/batch`, { documents }));
  }

  /** Signs someone up; what only the server may set is set afterwards. */
  async person(data: Fields = {}, server: Fields = {}): Promise<Person> {
    this.#made += 1;
    const body = { email: `person${this.#made}@example.com`, password: 'correct horse battery', data };
    const reply = await this.anonymous.post('/auth-collections/signup', body);
    if (reply.status !== 201) throw new Error(`sign-up: ${reply.text}`);
    const { id } = reply.body.user;
    if (Object.keys(server).length > 0)
      await succeed(this.api.patch(`/auth-collections/users/${id}`, server));
    const headers = { authorization: `Bearer ${reply.body.access_token}` };
    return { id, client: new Client(this.anonymous.baseUrl, headers) };
  }
}

// oxlint-disable-next-line typescript/no-explicit-any
export async function succeed(call: Promise<Reply>): Promise<any> {
  const { status, text, body } = await call;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body.data;
}

/** The status, and the error's code where there is one: `403 rule_denied`. */
export async function outcome(call: Promise<Reply>): Promise<string> {
  const { status, body } = await call;
  return body?.error ? `${status} ${body.error.code}` : String(status);
}

/** The body as text, without what differs in every answer. */
export function answerText({ status, text }: Reply): string {
  return `${status} ${text.replace(/"requestId":"[^"]*"/g, '"requestId":"…"')}`;
}
