import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const loginsSchema = Type.Object({
  /** The deployment that was logged in to last. */
  current: Type.Optional(Type.String()),
  logins: Type.Record(Type.String(), Type.Object({ token: Type.String(), email: Type.String() })),
});

type Logins = Static<typeof loginsSchema>;

/** Where somebody is logged in. Only they may read the file. */
function fileOf(environment: NodeJS.ProcessEnv): string {
  return join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'plinth', 'logins.json');
}

async function readLogins(environment: NodeJS.ProcessEnv): Promise<Logins> {
  try {
    const read: unknown = JSON.parse(await readFile(fileOf(environment), 'utf8'));
    return Value.Check(loginsSchema, read) ? read : { logins: {} };
  } catch {
    return { logins: {} };
  }
}

async function writeLogins(environment: NodeJS.ProcessEnv, logins: Logins): Promise<void> {
  const file = fileOf(environment);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const written = `${file}.${process.pid}`;
  await writeFile(written, `${JSON.stringify(logins, undefined, 2)}\n`, { mode: 0o600 });
  await rename(written, file);
}

/** The deployment that was logged in to last. */
export async function currentDeployment(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  return (await readLogins(environment)).current;
}

/** The personal access token for a deployment: of the environment, or of `plinth login`. */
export async function tokenFor(origin: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  if (environment.PLINTH_TOKEN) return environment.PLINTH_TOKEN;
  const { logins } = await readLogins(environment);
  return Object.hasOwn(logins, origin) ? logins[origin]?.token : undefined;
}

export async function keepLogin(
  environment: NodeJS.ProcessEnv,
  origin: string,
  login: { readonly token: string; readonly email: string },
): Promise<void> {
  const { logins } = await readLogins(environment);
  await writeLogins(environment, { current: origin, logins: { ...logins, [origin]: login } });
}

export async function forgetLogin(environment: NodeJS.ProcessEnv, origin: string): Promise<void> {
  const { current, logins } = await readLogins(environment);
  const { [origin]: _forgotten, ...rest } = logins;
  const next = current === origin ? Object.keys(rest)[0] : current;
  await writeLogins(environment, { ...(next !== undefined && { current: next }), logins: rest });
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
