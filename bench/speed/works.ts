import { bareId, type Script } from './bare.ts';
import { articleOf } from './documents.ts';

/** One kind of call: as SQL for PostgreSQL alone, and as a request for whoever answers HTTP. */
export interface Work {
  readonly name: string;
  /** Without it, PostgreSQL alone has nothing that compares. */
  readonly bare?: Script;
  /** The body of a Lua function that returns a request; `ids`, `key`, `any()`, `get()` and `send()` are known there. */
  readonly request: string;
  /** Of bare PostgreSQL at 64 connections. */
  readonly target?: number;
}

const patchOf = (collection: string, field = 'views') =>
  `return send("PATCH", "/collections/${collection}/" .. any(ids), '{"${field}":' .. math.random(0, 9999) .. '}')`;

/** The same on a collection that has indexes: of a field that none has, and of one that one has. */
export const indexedWorks: readonly Work[] = [
  { name: 'PATCH, three indexes', request: patchOf('indexed', 'shares') },
  { name: 'PATCH of an indexed field', request: patchOf('indexed') },
];

const columns = 'id, version, updated_at, data::text';
const pick = (documents: number) => `\\set n random(0, ${documents - 1})\n`;

export function worksFor(documents: number): readonly Work[] {
  const read = `${pick(documents)}SELECT ${columns} FROM documents WHERE project_id = 1 AND collection = 1 AND id = ${bareId(':n')};`;
  const newest = `SELECT ${columns} FROM documents WHERE project_id = 1 AND collection = 1 ORDER BY id DESC LIMIT 20;`;
  const filtered = `\\set least random(0, 5000)
SELECT ${columns} FROM documents WHERE project_id = 1 AND collection = 1
  AND data->'status' = '"published"' AND data->'views' >= to_jsonb(:least::int) ORDER BY id DESC LIMIT 20;`;
  const body = JSON.stringify(articleOf(1));
  const create = `INSERT INTO documents (project_id, collection, id, updated_at, data)
  VALUES (1, 2, gen_random_uuid(), 0, :article::jsonb);`;
  const patch = `${pick(documents)}UPDATE documents SET version = version + 1, updated_at = 0, data = data || jsonb_build_object('views', :n::int)
  WHERE project_id = 1 AND collection = 1 AND id = ${bareId(':n')};`;
  const noTotal = `key["Prefer"] = "count=none"`;
  const readCall = `return get("/collections/articles/" .. any(ids))`;
  const newestCall = `return get("/collections/articles?limit=20")`;
  const patchCall = patchOf('articles');
  const filteredCall = `return get("/collections/articles?status=published&views__gte=" .. math.random(0, 5000) .. "&limit=20")`;
  const one = (text: string): Script => [{ weight: 1, text }];
  return [
    { name: 'point read', bare: one(read), request: readCall, target: 0.6 },
    {
      name: 'create',
      bare: one(create),
      request: `return send("POST", "/collections/created", '${body}')`,
      target: 1,
    },
    { name: 'PATCH', bare: one(patch), request: patchCall, target: 0.8 },
    { name: 'newest 20', bare: one(newest), request: `${noTotal} ${newestCall}`, target: 0.5 },
    { name: 'newest 20, with total', bare: one(newest), request: newestCall },
    { name: 'filtered list', bare: one(filtered), request: `${noTotal} ${filteredCall}`, target: 0.7 },
    { name: 'filtered list, with total', bare: one(filtered), request: filteredCall },
    {
      name: 'mix 80/15/5',
      bare: [
        { weight: 80, text: read },
        { weight: 15, text: newest },
        { weight: 5, text: patch },
      ],
      request: `local dice = math.random(100)
        if dice <= 80 then ${readCall} end
        if dice <= 95 then ${noTotal} local list = get("/collections/articles?limit=20") key["Prefer"] = nil return list end
        ${patchCall}`,
    },
    {
      name: 'login',
      request: `return send("POST", "/auth-collections/login", '{"email":"ada@example.com","password":"correct horse battery"}')`,
    },
  ];
}
