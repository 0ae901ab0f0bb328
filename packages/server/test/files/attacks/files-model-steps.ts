import { expect } from 'vitest';
import type { Client, Reply } from '../../support/client.ts';
import { file, type Part, sendForm } from '../../support/files/forms.ts';

type Fields = Record<string, unknown>;

/** What should be there: documents, and of each file ever sent its size, whose it is, and whether it still is. */
export class Model {
  readonly documents = new Map<string, Fields>();
  readonly files = new Map<string, { size: number; holder: string; isThere: boolean }>();

  /** A document was written: files that came with it are its own, and those it no longer names are gone. */
  write(id: string, fields: Fields, sent: readonly { url: string; size: number }[]): void {
    this.documents.set(id, fields);
    for (const { url, size } of sent) this.files.set(url, { size, holder: id, isThere: true });
    const text = JSON.stringify(fields);
    for (const [url, known] of this.files) {
      if (known.holder === id && !text.includes(url)) known.isThere = false;
    }
  }

  delete(id: string): void {
    this.documents.delete(id);
    for (const known of this.files.values()) if (known.holder === id) known.isThere = false;
  }

  there(): string[] {
    return [...this.files].filter(([, { isThere }]) => isThere).map(([url]) => url);
  }

  get usage() {
    const there = this.there().map((url) => this.files.get(url)!);
    return { files: there.length, used: there.reduce((sum, { size }) => sum + size, 0) };
  }
}

/** Numbers choose among what there is. */
export interface Step {
  readonly kind: keyof typeof steps;
  readonly which: number;
  readonly field: 'a' | 'b' | 'list';
  readonly sizes: readonly number[];
}

/** The same collection on two nodes, and what should be in it. */
export interface Run {
  readonly api: Client;
  readonly other: Client;
  readonly path: string;
  readonly model: Model;
}

interface Call extends Run, Omit<Step, 'kind'> {
  readonly id: string;
  readonly address: string;
  readonly before: Fields;
  readonly parts: readonly Part[];
}

/** Does one step, on the service and on the model. */
export async function take(run: Run, { kind, ...step }: Step): Promise<void> {
  const ids = [...run.model.documents.keys()];
  const id = ids[step.which % Math.max(1, ids.length)] ?? '';
  const parts = step.sizes.map((size): Part => [step.field, file('f.txt', 'x'.repeat(size))]);
  const before = run.model.documents.get(id) ?? {};
  const call = { ...run, ...step, id, address: `${run.path}/${id}`, before, parts };
  await (id === '' ? steps.create : steps[kind])(call);
}

const urlsIn = (value: unknown) => JSON.stringify(value).match(/http[^"]+/g) ?? [];

/** Notes what a document became, and the files that came with it, in the order in which they were sent. */
function note({ model }: Run, reply: Reply, sizes: readonly number[] = []): void {
  expect([200, 201], reply.text).toContain(reply.status);
  const { id, createdAt: _created, updatedAt: _updated, ...fields } = reply.body.data;
  const urls = urlsIn(fields).filter((url) => !model.files.has(url));
  expect(urls).toHaveLength(sizes.length);
  const sent = urls.map((url, at) => ({ url, size: sizes[at]! }));
  model.write(id, fields, sent);
}

const data = (fields: Fields): Part => ['data', JSON.stringify(fields)];

export const steps = {
  create: async (call: Call) => {
    note(call, await sendForm(call.api, 'POST', call.path, [data({}), ...call.parts]), call.sizes);
  },
  replace: async (call: Call) => {
    note(call, await sendForm(call.api, 'PATCH', call.address, [data({ n: 1 }), ...call.parts]), call.sizes);
  },
  put: async (call: Call) => {
    const kept = data({ kept: call.before.a ?? null });
    note(call, await sendForm(call.other, 'PUT', call.address, [kept, ...call.parts]), call.sizes);
  },
  append: async (call: Call) => {
    const { before, parts, sizes } = call;
    if (parts.length === 0 || (before.list !== undefined && !Array.isArray(before.list))) return;
    const appended = parts.map(([, value]): Part => ['$append.list', value]);
    note(call, await sendForm(call.api, 'PATCH', call.address, appended), sizes);
  },
  unset: async (call: Call) => {
    note(call, await call.api.patch(call.address, { $unset: { [call.field]: true } }));
  },
  moveInside: async (call: Call) => {
    const { before, field } = call;
    const moved = { moved: { deep: [before[field] ?? null] }, [field]: null };
    note(call, await call.other.patch(call.address, moved));
  },
  nameAnothers: async (call: Call) => {
    note(call, await call.api.patch(call.address, { other: call.model.there().at(call.which % 3) ?? null }));
  },
  deleteOne: async ({ api, model, address, id }: Call) => {
    expect((await api.delete(address)).status).toBe(200);
    model.delete(id);
  },
  deleteSome: async ({ other, model, path }: Call) => {
    const ids = [...model.documents.keys()].slice(0, 2);
    expect((await other.post(`${path}/batch-delete`, { ids })).status).toBe(200);
    for (const id of ids) model.delete(id);
  },
  deleteFile: async ({ api, model, which }: Call) => {
    const url = model.there()[which % Math.max(1, model.there().length)];
    if (url === undefined) return;
    const listed = (await api.get('/storage/list?limit=100')).body.data as { id: string; url: string }[];
    const found = listed.find((file) => new URL(file.url).pathname === new URL(url).pathname)!;
    expect((await api.delete(`/storage/file/${found.id}`)).status).toBe(200);
    model.files.get(url)!.isThere = false;
  },
  refusedType: async ({ api, address }: Call) => {
    const parts: Part[] = [
      ['a', file('a.txt', 'x')],
      ['b', file('b.png', 'x')],
    ];
    expect((await sendForm(api, 'PATCH', address, parts)).status).toBe(400);
  },
  refusedVersion: async ({ other, address, field }: Call) => {
    const stale = { 'if-match': '"999"' };
    const { status } = await sendForm(other, 'PATCH', address, [[field, file('a.txt', 'x')]], stale);
    expect([400, 412]).toContain(status);
  },
};
