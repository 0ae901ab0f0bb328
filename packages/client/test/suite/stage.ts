import { setOrigins, setRooms } from '../../../server/src/features/control/projects/index.ts';
import { type TestApp, testApp } from '../../../server/test/support/test-app.ts';
import type { Stage } from './check.ts';

export interface OpenStage extends AsyncDisposable {
  readonly t: TestApp;
  readonly stage: Required<Pick<Stage, 'url' | 'apiKey'>>;
}

/** A service with the project that the checks need. */
export async function openStage({
  origins = [],
  overrides = {},
}: {
  origins?: string[];
  overrides?: Record<string, string>;
} = {}): Promise<OpenStage> {
  const t = await testApp({ PROJECT_RATE_LIMIT: '1000000', ...overrides });
  const [{ ref, apiKey, api }] = t.projects;
  const anyone = { read: 'public', create: 'public', update: 'public', delete: 'public' };
  const users = { read: 'users', create: 'users', update: 'owner', delete: 'owner' };
  await api.post('/collections', { name: 'board', settings: { rules: anyone } });
  await api.post('/collections', { name: 'notes', settings: { rules: users, ownerField: 'author_id' } });
  await setRooms(t.control, ref, { 'chat-*': 'users' });
  if (origins.length > 0) await setOrigins(t.control, ref, origins);
  return {
    t,
    stage: { url: `${t.url}/p/${ref}`, apiKey },
    [Symbol.asyncDispose]: () => t[Symbol.asyncDispose](),
  };
}
