import type { EventLog, FinishedCall, Project, ProjectRoutes, Quotas } from '../calls/index.ts';
import { ProjectSecrets } from '../features/control/projects/index.ts';
import type { FilesDeps } from '../features/files/records/index.ts';
import { type AppUserDeps, addAppUserRoutes } from '../features/people/app-users/index.ts';
import { addHostedPages } from '../features/people/hosted-pages/index.ts';
import { addIdentityRoutes, hasIdentities, unlinkIdentities } from '../features/people/identities/index.ts';
import { addMailTemplateRoutes } from '../features/people/mail-templates/index.ts';
import { addMessageRoutes, messageTasks } from '../features/people/messages/index.ts';
import { addPasskeyRoutes, forgetPasskeysOf, hasPasskeys } from '../features/people/passkeys/index.ts';
import { addPasswordRoutes, PasswordHasher } from '../features/people/passwords/index.ts';
import { addSessionRoutes, TokenAuthenticator } from '../features/people/sessions/index.ts';
import {
  addSignInFlowRoutes,
  type SignInFlowDeps,
  signInFlowTasks,
  type UserFlowDeps,
  userFlows,
} from '../features/people/sign-in-flows/index.ts';
import { KeyRing, Tokens } from '../features/people/tokens/index.ts';
import type { UserFlows } from '../features/people/user-records/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { Outbound } from '../platform/outbound/outbound.ts';
import type { Addresses } from './addresses.ts';
import type { DevOptions } from './dev-options.ts';
import type { Engines } from './engines.ts';
import type { DataWing } from './wire-data.ts';

interface PeopleNeeds {
  readonly data: DataWing;
  readonly files: FilesDeps;
  readonly quotas: Quotas;
  readonly events: EventLog;
  readonly addresses: Addresses;
  readonly dev: DevOptions | undefined;
  readonly findProject: (id: string) => Promise<Project | undefined>;
}

/** Puts the people wing together. */
export function wirePeople(
  config: Config,
  { cells, scans, counter, vault, outbound, lookups, controlListener, metrics }: Engines,
  { data, files, quotas, events, addresses, dev, findProject }: PeopleNeeds,
) {
  const keys = new KeyRing(lookups, vault, controlListener);
  const tokens = new Tokens(keys);
  const secrets = new ProjectSecrets(lookups, vault, controlListener);
  const server = { smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, folder: dev?.mailFolder };
  const messages = { vault, secrets, server, quotas };
  const mails: UserFlowDeps = {
    messages,
    vault,
    pagesOf: ({ ref }) => `${addresses.service}/p/${ref}/auth-collections`,
  };
  const mailed = metrics.counter({
    name: 'plinth_messages_total',
    help: 'Attempts to send emails and text messages, by result.',
    labels: ['kind', 'result'],
  });
  const signIns = metrics.counter({
    name: 'plinth_sign_ins_total',
    help: 'Sign-ins of app users: sessions started, and rejected attempts, by error code.',
    labels: ['result'],
  });
  const passwords = new PasswordHasher();
  const users: AppUserDeps = {
    tokens,
    passwords,
    links: data.links,
    scopes: data.scopes,
    scans,
    storage: files,
    quotas,
    counter,
    flows: countingSignIns(userFlows(mails, events), () => signIns.add(1, 'started')),
    limits: { addressPerMinute: config.AUTH_ADDRESS_LIMIT, userPerMinute: config.AUTH_ACCOUNT_LIMIT },
    loadLinked: data.loadLinked,
  };
  const flows: SignInFlowDeps = {
    ...mails,
    users,
    unlink: async (context, userId) => {
      await unlinkIdentities(context, userId);
      await forgetPasskeysOf(context, userId);
    },
  };
  return {
    keys,
    tokens,
    passwords,
    authenticator: new TokenAuthenticator(tokens, cells),
    tasks: {
      ...messageTasks({
        ...messages,
        cells,
        outbound,
        findProject,
        onDelivery: (kind, result) => mailed.add(1, kind, result),
      }),
      ...signInFlowTasks({ ...mails, cells, findProject }),
    },
    addRoutes: (routes: ProjectRoutes) =>
      addPeopleRoutes(routes, { users, flows, messages, outbound, secrets }),
    /** Sign-ins that were refused. */
    noteCall({ kind, failure }: FinishedCall): void {
      if (kind === 'auth' && failure && refusals.has(failure.code)) signIns.add(1, failure.code);
    },
    stop: () => passwords.stop(),
  };
}

/** What a sign-in is refused with. */
const refusals: ReadonlySet<string> = new Set(['invalid_login', 'user_suspended', 'rate_limited']);

/** Counts sessions that began, once they are committed. */
function countingSignIns(flows: UserFlows, started: () => void): UserFlows {
  return {
    ...flows,
    async signedIn(context, proven) {
      await flows.signedIn(context, proven);
      context.db.afterCommit(started);
    },
  };
}

interface RouteNeeds {
  readonly users: AppUserDeps;
  readonly flows: SignInFlowDeps;
  readonly messages: UserFlowDeps['messages'];
  readonly outbound: Outbound;
  readonly secrets: ProjectSecrets;
}

function addPeopleRoutes(
  routes: ProjectRoutes,
  { users, flows, messages, outbound, secrets }: RouteNeeds,
): void {
  addAppUserRoutes(routes, users);
  addPasswordRoutes(routes, users);
  addSessionRoutes(routes, users);
  addSignInFlowRoutes(routes, flows);
  addHostedPages(routes, flows);
  addIdentityRoutes(routes, {
    users,
    vault: flows.vault,
    outbound,
    hasOtherMethod: hasPasskeys,
    findProvider: (project, name) => secrets.find(project, `provider:${name}`),
  });
  addPasskeyRoutes(routes, { users, hasOtherMethod: hasIdentities });
  addMailTemplateRoutes(routes, messages);
  addMessageRoutes(routes, messages);
}

export type PeopleWing = ReturnType<typeof wirePeople>;
