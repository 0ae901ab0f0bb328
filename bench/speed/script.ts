/** What wrk runs: `request` is the body of a Lua function that returns a request. */
export interface Script {
  readonly request: string;
  /** Ids of articles, one a line: `ids`, of which `any()` chooses one. */
  readonly idsFile: string;
  /** Sent with every call: `key`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The script of a work for wrk; `get()` and `send()` make requests. */
export function scriptOf({ request, idsFile, headers }: Script): string {
  return `
math.randomseed(os.time())
ids = {}
for line in io.lines(${JSON.stringify(idsFile)}) do ids[#ids + 1] = line end
key = ${luaTable(headers)}
sent = ${luaTable({ ...headers, 'Content-Type': 'application/json' })}
function any(list) return list[math.random(#list)] end
made = {}
-- What was put together once is sent again: wrk is to cost as little as it can.
function get(path)
  local text = made[path]
  if not text then text = wrk.format("GET", path, key) made[path] = text end
  return text
end
function send(method, path, body) return wrk.format(method, path, sent, body) end
function request() ${request} end
`;
}

function luaTable(entries: Readonly<Record<string, string>>): string {
  const fields = Object.entries(entries).map(
    ([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  return `{ ${fields.join(', ')} }`;
}
