import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WindowCounter } from '../../platform/counters/window-counter.ts';
import { isPlainHere } from '../../platform/http/from-this-machine.ts';
import type { AccountCaller, AccountDirectory, Membership } from '../management/account.ts';
import {
  accountRequired,
  noSuchProject,
  notAPersonalToken,
  notFromDashboard,
  notFromOwnWindow,
  ownerRequired,
  personalTokenExpired,
  personalTokenInvalid,
  sessionOver,
  sessionRequired,
  signInAgain,
  tokenMayNotWrite,
} from '../management/errors.ts';
import type { Right } from '../management/right.ts';
import { sessionInCookies } from '../management/session-cookie.ts';
import { countIn, refusePast, sayCounted } from './limit-rate.ts';
import { addressBucket, type SharedBucket } from './shares.ts';

export interface AccountGate {
  readonly accounts: AccountDirectory;
  readonly counter: WindowCounter;
  readonly addressLimit: number;
  /** Origins of the dashboard. */
  readonly dashboardOrigins: ReadonlySet<string>;
}

/** An account that was let in, and what it is to the project that the address names. */
export interface AdmittedAccount {
  readonly caller?: AccountCaller | undefined;
  readonly membership?: (Membership & { readonly ref: string }) | undefined;
}

/** Requests per minute of one account, to all of its projects. @limit rate_limited */
const accountLimit = 600;
const freshForMs = 15 * 60_000;

/** Lets a call of management in: who, how often, and whether the table of rights allows it. */
export async function admitAccount(
  request: FastifyRequest,
  reply: FastifyReply,
  { right, ref }: { right: Right; ref: string | undefined },
  gate: AccountGate,
): Promise<AdmittedAccount> {
  const identified = identify(request, gate, right);
  const [found] = await Promise.allSettled([identified]);
  const known = found.status === 'fulfilled' ? found.value : undefined;
  const counted = await countIn(gate.counter, [bucketOf(known, request.ip, gate.addressLimit)]);
  sayCounted(reply, counted);
  refusePast(counted);
  const caller = await identified;
  if (right.who === 'anyone') return { caller };
  if (!caller) throw accountRequired();
  requireCredential(caller, right);
  const membership =
    ref === undefined ? undefined : await findMembership(caller, { ref, right }, gate.accounts);
  if (ref !== undefined && !membership) throw noSuchProject(ref);
  if (right.who === 'owner' && membership?.role !== 'owner') throw ownerRequired();
  requireFresh(caller, right);
  return { caller, ...(membership && ref !== undefined && { membership: { ...membership, ref } }) };
}

/** The account behind a personal access token, else behind a cookie, which only the dashboard's own pages may use. */
async function identify(
  request: FastifyRequest,
  { accounts, dashboardOrigins }: AccountGate,
  { who, navigation }: Right,
): Promise<AccountCaller | undefined> {
  const { headers } = request;
  if (headers['x-api-key'] !== undefined) throw notAPersonalToken();
  if (headers.authorization !== undefined) {
    const token = /^bearer +(plt_\w+)$/i.exec(headers.authorization)?.[1];
    if (token === undefined) throw notAPersonalToken();
    const caller = await accounts.findByToken(token);
    if (caller === 'expired') throw personalTokenExpired();
    if (!caller) throw personalTokenInvalid();
    return caller;
  }
  if (navigation) requireOwnWindow(headers, navigation, dashboardOrigins);
  else requireOwnPage(headers, dashboardOrigins);
  const cookie = sessionInCookies(headers.cookie, isPlainHere(request));
  if (cookie === undefined) return undefined;
  const caller = await accounts.findBySession(cookie);
  // Whoever signs in may well show an old one.
  if (!caller && who !== 'anyone') throw sessionOver();
  return caller;
}

/**
 * A page of another site can make a browser send cookies, but not this header: it would have to ask first, and is never
 * allowed to. Browsers also say where a call comes from.
 */
function requireOwnPage(headers: IncomingHttpHeaders, own: ReadonlySet<string>): void {
  if (headers['x-plinth-dashboard'] !== '1' || isFromElsewhere(headers, own)) throw notFromDashboard();
}

function isFromElsewhere(headers: IncomingHttpHeaders, own: ReadonlySet<string>): boolean {
  const site = headers['sec-fetch-site'];
  const { origin } = headers;
  const isOwn = origin !== undefined && own.has(origin);
  return site === undefined ? origin !== undefined && !isOwn : site !== 'same-origin' && !isOwn;
}

/** Another site may send a browser back to us, as the issuer does, but it begins nothing here, and shows us in no frame. */
function requireOwnWindow(
  headers: IncomingHttpHeaders,
  navigation: NonNullable<Right['navigation']>,
  own: ReadonlySet<string>,
): void {
  const { 'sec-fetch-site': site, 'sec-fetch-dest': into = 'document' } = headers;
  const isByHand = site === 'none';
  const isElsewhere = navigation === 'leave' && !isByHand && isFromElsewhere(headers, own);
  if (into !== 'document' || isElsewhere) throw notFromOwnWindow();
}

function requireCredential({ token }: AccountCaller, right: Right): void {
  if (!token || right.tokens === 'all') return;
  if (right.tokens === 'none') throw sessionRequired();
  if (!token.mayWrite) throw tokenMayNotWrite();
}

function requireFresh({ session }: AccountCaller, { isFresh }: Right): void {
  if (!isFresh) return;
  if (!session || Date.now() - session.signedInAt.getTime() > freshForMs) throw signInAgain();
}

/** What the account is to the project, as far as its token reaches. */
async function findMembership(
  { account, token }: AccountCaller,
  { ref, right }: { ref: string; right: Right },
  accounts: AccountDirectory,
): Promise<Membership | undefined> {
  const membership = await accounts.roleIn(account.id, ref, right.isOfDeleted);
  const isReached = !token?.projectIds || token.projectIds.includes(membership?.projectId ?? '');
  return isReached ? membership : undefined;
}

function bucketOf(caller: AccountCaller | undefined, address: string, addressLimit: number): SharedBucket {
  if (!caller) return addressBucket(address, addressLimit);
  return { share: 'account', key: `account:${caller.account.id}`, limit: accountLimit };
}
