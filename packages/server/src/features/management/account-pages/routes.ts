import type { FastifyRequest } from 'fastify';
import { checkFormOrigin, type OwnOrigins } from '../../../calls/gate/index.ts';
import { knownError } from '../../../platform/http/error-handler.ts';
import { type HtmlPage, sendHtml } from '../../../platform/http/html-page.ts';
import { type PageFields, pageFormLimit, readFields } from '../../../platform/http/page-forms.ts';
import type { HttpServer } from '../../../platform/http/server.ts';
import { type AccountPage, accountPages, type PageCall } from './pages.ts';
import { problemPage, showForm, showNotice } from './show-page.ts';

const config = { access: 'open', isPage: true, isSecret: true } as const;

/** Pages for people who follow a link in a mail. They make the calls that programs make: there is no other way in. */
export function addAccountPages(http: HttpServer, own: OwnOrigins): void {
  for (const [name, page] of Object.entries(accountPages)) {
    const url = `/account/${name}`;
    http.route({
      method: 'GET',
      url,
      config,
      handler: async (request, reply) => {
        const token = readFields(request.url.split(/\?(.*)/s)[1] ?? '').get('token') ?? '';
        const signedInAs = page.takesSession ? await whoIsSignedIn(http, request) : undefined;
        return sendHtml(reply, showForm(page, token, { signedInAs }));
      },
      errorHandler: (error, request, reply) => void sendHtml(reply, problemPage(knownError(error, request))),
    });
    http.route({
      method: 'POST',
      url,
      config: { ...config, takesFields: true },
      bodyLimit: pageFormLimit,
      onRequest: async (request) => checkFormOrigin(request.headers, undefined, own),
      handler: async (request, reply) => {
        const fields: PageFields = request.body instanceof Map ? request.body : new Map();
        return sendHtml(reply, await submit(http, request, page, fields));
      },
      errorHandler: (error, request, reply) => void sendHtml(reply, problemPage(knownError(error, request))),
    });
  }
}

/** Makes the calls of a page, one after the other. */
async function submit(
  http: HttpServer,
  request: FastifyRequest,
  page: AccountPage,
  fields: PageFields,
): Promise<HtmlPage> {
  const token = fields.get('token') ?? '';
  let cookie = request.headers.cookie ?? '';
  let setCookie: string | undefined;
  let wasDone = false;
  for (const call of page.calls(token, fields)) {
    if (call.isInstead && wasDone) continue;
    const answer = await callManagement(http, request, call, cookie);
    const set = answer.headers['set-cookie'];
    if (set !== undefined) {
      setCookie = String(set);
      cookie = setCookie.split(';', 1)[0] ?? '';
    }
    wasDone = answer.statusCode < 300;
    if (wasDone) continue;
    const { code, message } = answer.json<{ error: { code: string; message: string } }>().error;
    if (call.goesOnAfter?.includes(code)) continue;
    const kept = fields.get('email') ?? '';
    return showForm(page, token, { problem: message, status: answer.statusCode, kept });
  }
  const headers = setCookie === undefined ? {} : { 'Set-Cookie': setCookie };
  return showNotice(page.done.title, page.done.text, { headers });
}

/** The address of whoever is signed in in this browser. */
async function whoIsSignedIn(http: HttpServer, request: FastifyRequest): Promise<string | undefined> {
  const { cookie } = request.headers;
  if (cookie === undefined) return undefined;
  const answer = await callManagement(http, request, { path: '/management/account' }, cookie);
  return answer.statusCode === 200 ? answer.json<{ data: { email: string } }>().data.email : undefined;
}

/** Within this process, as the page's visitor would make it from the dashboard. */
async function callManagement(
  http: HttpServer,
  { headers, ip }: FastifyRequest,
  { path, body }: Pick<PageCall, 'path'> & Partial<PageCall>,
  cookie: string,
) {
  return http.inject({
    method: body ? 'POST' : 'GET',
    url: path,
    remoteAddress: ip,
    headers: {
      host: headers.host ?? '',
      'user-agent': headers['user-agent'] ?? '',
      'x-plinth-dashboard': '1',
      ...(headers['x-forwarded-for'] !== undefined && { 'x-forwarded-for': headers['x-forwarded-for'] }),
      ...(headers['x-forwarded-proto'] !== undefined && {
        'x-forwarded-proto': headers['x-forwarded-proto'],
      }),
      ...(cookie !== '' && { cookie }),
    },
    ...(body && { payload: body }),
  });
}
