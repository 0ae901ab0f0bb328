import type { GatewayCall } from '../calls/gate/index.ts';
import { type ManagementRoutes, managementRoutes } from '../calls/management/index.ts';
import { type CachedProjectDirectory, findDeletedProject } from '../features/control/projects/index.ts';
import { accountIssuer, addOpenIdRoutes } from '../features/management/account-openid/index.ts';
import { addAccountPages } from '../features/management/account-pages/index.ts';
import { addAccountPasskeyRoutes } from '../features/management/account-passkeys/index.ts';
import {
  type AccountDeps,
  AccountMails,
  addAccountRoutes,
  addFactorRoutes,
  addLoginRoutes,
  addTokenRoutes,
  CachedAccountDirectory,
} from '../features/management/accounts/index.ts';
import { addKeyRoutes } from '../features/management/api-keys/index.ts';
import { addAuditRoutes, auditLog, noteCall } from '../features/management/audit/index.ts';
import { rights } from '../features/management/index.ts';
import { addInsightRoutes, type InsightDeps } from '../features/management/insight/index.ts';
import { addMemberRoutes, findRole, isAwaited, isInvited } from '../features/management/members/index.ts';
import { type DisabledSubscriber, tellDisabled } from '../features/management/notices/index.ts';
import {
  addProjectRoutes,
  addSettingsRoutes,
  idsOfOwn,
  refsOf,
} from '../features/management/projects/index.ts';
import type { PasswordHasher } from '../features/people/passwords/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { HttpServer } from '../platform/http/server.ts';
import type { Log } from '../platform/log.ts';
import type { Addresses } from './addresses.ts';
import type { DevOptions } from './dev-options.ts';
import type { Engines } from './engines.ts';

interface ManagementNeeds {
  readonly projects: CachedProjectDirectory;
  readonly passwords: PasswordHasher;
  readonly addresses: Addresses;
  readonly dev: DevOptions | undefined;
  readonly log: Log;
  readonly insight: InsightDeps;
  /** Routes of management that other wings have. */
  readonly addOthers: (routes: ManagementRoutes) => void;
}

/** Puts the management wing together. */
export function wireManagement(
  config: Config,
  { control, lookups, controlListener, counter, vault, ownOutbound }: Engines,
  { projects, passwords, addresses, dev, log, insight, addOthers }: ManagementNeeds,
) {
  const server = { smtpUrl: config.SMTP_URL, from: config.MAIL_FROM, folder: dev?.mailFolder };
  const dashboard = () => addresses.dashboard;
  const mails = new AccountMails(vault, server, dashboard);
  const accounts: AccountDeps = {
    passwords,
    vault,
    tries: {
      counter,
      limits: { addressPerMinute: config.AUTH_ADDRESS_LIMIT, userPerMinute: config.AUTH_ACCOUNT_LIMIT },
    },
    mails,
    signUp: config.ACCOUNT_SIGNUP,
    isInvited,
    isAwaited,
  };
  const life = {
    quota: { projects: config.ACCOUNT_PROJECT_LIMIT },
    tier: config.DEFAULT_TIER,
    addressOf: (ref: string) => `${addresses.service}/p/${ref}`,
    claimAddress: (token: string) => `${addresses.dashboard}/account/claim?token=${token}`,
    vault,
  };
  return {
    directory: new CachedAccountDirectory({
      lookups,
      control,
      listener: controlListener,
      log,
      findProject: async (ref, isDeleted) =>
        isDeleted ? findDeletedProject(lookups, ref) : projects.findByRef(ref),
      findRole: (accountId, projectId) => findRole(lookups, accountId, projectId),
    }),
    noteGatewayCall: (call: GatewayCall) => noteCall({ control, log }, call),
    tasks: { 'send-account-mail': mails.deliver },
    tellDisabled: (disabled: DisabledSubscriber) => tellDisabled(mails, control, disabled),
    addRoutes(http: HttpServer): void {
      addAccountPages(http, { ownOrigins: addresses.dashboardOrigins, apiDomain: undefined });
      const routes = managementRoutes(http, {
        control,
        audit: auditLog,
        rights,
        caughtUp: () => controlListener.caughtUp(),
      });
      addAccountRoutes(routes, accounts);
      addFactorRoutes(routes, accounts);
      addAccountPasskeyRoutes(routes, { vault, tries: accounts.tries, dashboard });
      addOpenIdRoutes(routes, { accounts, issuer: accountIssuer(config, ownOutbound), dashboard });
      addTokenRoutes(routes, { idsOf: idsOfOwn, refsOf });
      addLoginRoutes(routes);
      addProjectRoutes(routes, life);
      addSettingsRoutes(routes, life);
      addMemberRoutes(routes, { mails, quota: life.quota });
      addKeyRoutes(routes);
      addInsightRoutes(routes, insight);
      addAuditRoutes(routes);
      addOthers(routes);
    },
  };
}
