// The process of the attackers: prepares and runs attacks as it is told.
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Run, Target } from './attack.ts';
import { attacks } from './attacks.ts';
import { Caller } from './caller.ts';
import { planted } from './planted-attacks.ts';

export interface TargetAddress {
  readonly url: string;
  readonly ref: string;
  readonly apiKey: string;
  readonly neighbourRef: string;
}

export type Order =
  | { readonly act: 'prepare' | 'run'; readonly attacks: readonly string[]; readonly number?: number }
  | { readonly act: 'stop' };

/** How often each answer was given: `201`, `429 rate_limited`, `cut off`. */
export type Answered = Readonly<Record<string, number>>;

export interface Reply {
  readonly number: number;
  readonly problem?: string;
  readonly answered?: Answered;
}

/** How long calls that are under way may still take when an attack is told to stop. */
const lastCallsMs = 500;

setPriority(constants.priority.PRIORITY_LOW);

const address = JSON.parse(process.argv[2]!) as TargetAddress;
const answered = new Map<string, number>();
const agent = new Agent({ keepAlive: true, maxSockets: 600 });
const prepared = new Map<string, Run>();
let stop = new AbortController();

const target = aim(address);
process.on('message', (order: Order) => {
  if (order.act === 'stop') stop.abort();
  else
    void carryOut(order.act, order.attacks).then((reply) =>
      process.send?.({ ...reply, number: order.number }),
    );
});
process.once('disconnect', () => process.exit());

async function carryOut(act: 'prepare' | 'run', names: readonly string[]): Promise<Omit<Reply, 'number'>> {
  try {
    if (act === 'prepare') await Promise.all(names.map(prepare));
    else return { answered: await run(names) };
    return {};
  } catch (error) {
    return { problem: `${names.join(', ')}: ${error instanceof Error ? error.stack : String(error)}` };
  }
}

async function prepare(name: string): Promise<void> {
  const attack = [...attacks, ...planted].find((attack) => attack.name === name);
  if (!attack) throw new Error(`There is no attack "${name}".`);
  prepared.set(name, await attack.prepare(target));
}

async function run(names: readonly string[]): Promise<Answered> {
  answered.clear();
  stop = new AbortController();
  const stopped = new Promise((resolve) => stop.signal.addEventListener('abort', resolve));
  const running = Promise.all(names.map((name) => prepared.get(name)!(stop.signal)));
  running.catch(() => {});
  await stopped;
  await Promise.race([running, sleep(lastCallsMs)]);
  // Whoever still waits for an answer hangs up.
  for (const sockets of Object.values(agent.sockets)) for (const socket of sockets ?? []) socket.destroy();
  await running;
  return Object.fromEntries(answered);
}

function aim({ url, ref, apiKey, neighbourRef }: TargetAddress): Target {
  const door = `${url}/p/${ref}`;
  const anonymous = new Caller(door, {}, answered, agent);
  const server = anonymous.with({ 'x-api-key': apiKey });
  return {
    url,
    ref,
    neighbourRef,
    anonymous,
    server,
    async newUser() {
      const email = `${randomBytes(8).toString('hex')}@example.com`;
      const signUp = { email, password: 'correct horse' };
      const { text } = await anonymous.must('POST', '/auth-collections/signup', signUp);
      const { data } = JSON.parse(text) as { data: { access_token: string } };
      return anonymous.with({ authorization: `Bearer ${data.access_token}` });
    },
    async newCollection(settings) {
      const name = `c${randomBytes(6).toString('hex')}`;
      await server.must('POST', '/collections', { name });
      if (settings) await server.must('PATCH', `/collections/${name}`, { settings });
      return `/collections/${name}`;
    },
  };
}
