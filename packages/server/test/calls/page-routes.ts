import type { RouteRow } from './route-row.ts';

/** Pages are for anyone, whatever credential comes along. Without what they need they say so. */
const page = (status: number): RouteRow => ({ access: 'anyone', status, isPage: true });
/** No page of ours sends the forms of this test. */
const form = page(403);

/** Pages of accounts belong to no project: whatever credential comes along does not count. */
const accountPages = Object.fromEntries(
  ['verify', 'reset', 'sign-in', 'join', 'claim', 'approve'].flatMap((name): [string, RouteRow][] => [
    [`GET /account/${name}`, { access: 'open', status: 200, isPage: true }],
    [`POST /account/${name}`, { access: 'open', status: 403, isPage: true }],
  ]),
);

/** The rows of the pages for people. */
export const pageRoutes: Readonly<Record<string, RouteRow>> = {
  'GET /auth-collections/verify-email': page(400),
  'GET /auth-collections/reset-password': page(400),
  'GET /auth-collections/forgot-password': page(200),
  'GET /auth-collections/login': page(400),
  'GET /auth-collections/phone': page(400),
  'GET /auth-collections/pages/:name': page(404),
  'POST /auth-collections/pages/verify-email': form,
  'POST /auth-collections/pages/reset-password': form,
  'POST /auth-collections/pages/forgot-password': form,
  'POST /auth-collections/pages/login': form,
  'POST /auth-collections/pages/second-step': form,
  'POST /auth-collections/pages/second-step-code': form,
  'POST /auth-collections/pages/phone': form,
  'POST /auth-collections/pages/phone-code': form,
  'GET /dashboard': { access: 'open', status: 200, isPage: true },
  'GET /dashboard/*': { access: 'open', status: 200, isPage: true },
  ...accountPages,
};
