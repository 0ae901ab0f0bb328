import { type Static, Type } from 'typebox';
import { askService, type ServiceAddress } from '../call-service.ts';
import { CommandError, type Outcome } from '../usage.ts';
import { FileMistake, readJsonFile } from './check-file.ts';
import { readText } from './read-folder.ts';
import { readRequest } from './request.ts';

const closed = { additionalProperties: false };
const fields = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });

const user = Type.Partial(
  Type.Object({
    id: Type.String(),
    role: Type.String(),
    email: Type.String(),
    email_verified: Type.Boolean(),
    data: fields,
    claims: fields,
  }),
  closed,
);

const row = Type.Object(
  {
    as: Type.Union([Type.Literal('nobody'), Type.Literal('server'), user]),
    action: Type.Union([
      Type.Literal('read'),
      Type.Literal('create'),
      Type.Literal('update'),
      Type.Literal('delete'),
    ]),
    collection: Type.String({ minLength: 1 }),
    document: Type.Optional(fields),
    changes: Type.Optional(fields),
    expect: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
  },
  closed,
);

/** Rows in a file for `plinth test`. @limit - */
const mostRows = 1000;

const rows = Type.Array(row, { maxItems: mostRows });

type Row = Static<typeof row>;

/** `plinth test`: holds what the rules of a project answer against what a file expects. Ends with 1 where they differ. */
export async function runTestRules(
  environment: NodeJS.ProcessEnv,
  args: string[],
  dataDir: string | undefined,
): Promise<Outcome> {
  const { address, path: file } = await readRequest(environment, args, {
    dataDir,
    path: 'plinth/rules.json',
  });
  const lines: string[] = [];
  let wrong = 0;
  for (const [at, row] of (await readRows(file)).entries()) {
    const { isAllowed, reason } = await decide(address, row).catch((error: unknown) => {
      if (!(error instanceof CommandError)) throw error;
      throw new CommandError(`${file}, row ${at + 1} (${describe(row)}): ${error.message}`);
    });
    const isExpected = isAllowed === (row.expect === 'allow');
    if (!isExpected) wrong += 1;
    lines.push(
      isExpected
        ? `ok     ${describe(row)}: ${row.expect}`
        : `WRONG  ${describe(row)}: expected ${row.expect}, but the rules ${isAllowed ? 'allow' : 'deny'} it. ${reason}`,
    );
  }
  const total = lines.length;
  lines.push(wrong === 0 ? `All ${total} are as expected.` : `${wrong} of ${total} are not as expected.`);
  return { text: lines.join('\n'), exitCode: wrong === 0 ? 0 : 1 };
}

async function readRows(file: string): Promise<Row[]> {
  const text = await readText(file);
  if (text === undefined)
    throw new CommandError(`${file} does not exist. Create it with rows to test: see docs/config-as-code.md`);
  try {
    return readJsonFile(text, rows);
  } catch (error) {
    if (error instanceof FileMistake) throw new CommandError(`${file}: ${error.message}`);
    throw error;
  }
}

interface Decision {
  readonly isAllowed: boolean;
  readonly reason: string;
}

async function decide(address: ServiceAddress, row: Row): Promise<Decision> {
  const { as, action, collection, document, changes } = row;
  const body = {
    // The API key is asked about as nobody, so that mistakes in the row show; rules do not hold for it.
    as: typeof as === 'string' ? null : as,
    action,
    ...(document && { document }),
    ...(changes && { changes }),
  };
  const path = `/collections/${encodeURIComponent(collection)}/explain`;
  const { data, error } = await askService<{ allowed: boolean; reason: string }>(address, path, {
    method: 'POST',
    body,
  });
  const isProtected = error?.code === 'field_protected';
  if (error && !isProtected) throw new CommandError(error.message);
  if (as === 'server') return { isAllowed: true, reason: 'Rules do not apply to the API key.' };
  if (isProtected) return { isAllowed: false, reason: error.message };
  return { isAllowed: data?.allowed === true, reason: data?.reason ?? '' };
}

function describe({ as, action, collection, document, changes }: Row): string {
  const who = typeof as === 'string' ? as : JSON.stringify(as);
  const what = document === undefined ? '' : ` ${short(document)}`;
  return `${who}, ${action} ${collection}${what}${changes === undefined ? '' : ` with ${short(changes)}`}`;
}

function short(value: object): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
