import { callService } from '../call-service.ts';
import { argument } from '../project-action.ts';
import { masked, readValue } from '../project-env.ts';
import { UsageError } from '../usage.ts';
import { type Fields, pathIn, type RemoteCommand } from './remote-command.ts';

/** `plinth project config …` over HTTP. */
export async function configAction(command: RemoteCommand): Promise<string> {
  const [action = ''] = command.args;
  const path = `${pathIn(command, 1)}/configs`;
  const key = () => argument(command, 2, 'A key');
  const changes: Record<string, () => Fields | undefined> = {
    list: () => undefined,
    set: () => ({ [key()]: argument(command, 3, 'A value') }),
    unset: () => ({ [key()]: null }),
  };
  const change = Object.hasOwn(changes, action) ? changes[action] : undefined;
  if (!change) throw new UsageError('plinth project config takes set, unset or list.');
  const body = change();
  type Configs = { key: string; value: string | number | boolean | null }[];
  const { data } = await callService<Configs>(command.at, path, body && { method: 'PATCH', body });
  return data
    .map(({ key: name, value }) => (value === null ? `${name} (not set)` : `${name}=${value}`))
    .join('\n');
}

/** `plinth project env …` over HTTP. */
export async function envAction(command: RemoteCommand): Promise<string> {
  const [action = ''] = command.args;
  const path = `${pathIn(command, 1)}/env`;
  if (action === 'list') {
    const { data } = await callService<string[]>(command.at, path);
    return data.length === 0 ? 'No variable is set.' : data.map((name) => `${name}=${masked}`).join('\n');
  }
  if (action !== 'set' && action !== 'unset')
    throw new UsageError('plinth project env takes set, unset or list.');
  const key = argument(command, 2, 'A key');
  const one = `${path}/${encodeURIComponent(key)}`;
  if (action === 'unset') {
    await callService(command.at, one, { method: 'DELETE' });
    return `${key} was removed.`;
  }
  await callService(command.at, one, { method: 'PUT', body: { value: await readValue(command) } });
  return `${key} is set and stored encrypted.`;
}
