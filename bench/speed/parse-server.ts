import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPool } from '../../packages/server/src/platform/db/pool.ts';
import { exchange } from '../http.ts';
import type { Postgres } from '../service.ts';
import { articleOf } from './documents.ts';

const version = '9.10.0';
const url = 'http://127.0.0.1:4462';
const headers = { 'X-Parse-Application-Id': 'bench', 'X-Parse-Master-Key': 'correct horse battery' };
const articles = '/parse/classes/Article';
const batch = 10_000;

const newest = `${articles}?order=-createdAt&limit=20`;
const counted = (withTotal: boolean) => (withTotal ? '&count=1' : '');
const [beforeViews, afterViews] = ['{"status":"published","views":{"$gte":', '}}'].map(encodeURIComponent);

const calls = {
  read: `get("${articles}/" .. any(ids))`,
  create: `send("POST", "/parse/classes/Created", '${JSON.stringify(articleOf(1))}')`,
  patch: `send("PUT", "${articles}/" .. any(ids), '{"views":' .. math.random(0, 9999) .. '}')`,
  newest: (withTotal: boolean) => `get("${newest}${counted(withTotal)}")`,
  filtered: (withTotal: boolean) =>
    `get("${newest}${counted(withTotal)}&where=${beforeViews}" .. math.random(0, 5000) .. "${afterViews}")`,
};

export const parseServer = {
  name: 'Parse Server',
  package: `parse-server@${version}`,
  url,
  healthUrl: `${url}/parse/health`,
  headers,
  calls,
  prepare,
};

async function prepare(modules: string, postgres: Postgres) {
  const databaseUrl = await postgres.database('parse');
  const configFile = join(postgres.folder, 'parse-server.json');
  await writeFile(configFile, JSON.stringify(configOf(databaseUrl)));
  return {
    version,
    program: {
      file: process.execPath,
      args: [join(modules, 'parse-server', 'bin', 'parse-server'), configFile],
    },
    make: makeClasses,
    fill: (documents: number) => fill(databaseUrl, documents),
  };
}

function configOf(databaseUrl: string) {
  const { hostname, port } = new URL(url);
  return {
    appId: headers['X-Parse-Application-Id'],
    masterKey: headers['X-Parse-Master-Key'],
    serverURL: `${url}/parse`,
    host: hostname,
    port: Number(port),
    databaseURI: databaseUrl,
    logLevel: 'error',
    silent: true,
    logsFolder: null,
  };
}

/** It makes a class of the first object. */
async function makeClasses(): Promise<void> {
  for (const name of ['Article', 'Created']) {
    const path = `/parse/classes/${name}`;
    const { status, text } = await exchange(`${url}${path}`, '', {
      method: 'POST',
      body: articleOf(1),
      headers,
    });
    if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
  }
}

/** The articles, a millisecond apart; their ids. */
async function fill(databaseUrl: string, documents: number): Promise<string[]> {
  const pool = createPool(databaseUrl, { size: 1, statementTimeoutMs: 600_000 }, console);
  await pool.query('TRUNCATE "Article", "Created"');
  const ids = Array.from({ length: documents }, newId);
  const start = Date.now() - documents;
  const rowOf = (objectId: string, n: number) => {
    const at = new Date(start + n).toISOString();
    return { ...articleOf(n), objectId, createdAt: at, updatedAt: at };
  };
  for (let at = 0; at < documents; at += batch) {
    const rows = ids.slice(at, at + batch).map((id, n) => rowOf(id, at + n));
    await pool.query(
      'INSERT INTO "Article" SELECT * FROM jsonb_populate_recordset(NULL::"Article", $1::jsonb)',
      [JSON.stringify(rows)],
    );
  }
  for (const table of ['Article', 'Created'])
    await pool.query(
      `CREATE INDEX ON "${table}" ("createdAt"); CREATE INDEX ON "${table}" (status, "createdAt")`,
    );
  await pool.query('VACUUM ANALYZE');
  await pool.end();
  return ids;
}

function newId(): string {
  return randomBytes(5).toString('hex');
}
