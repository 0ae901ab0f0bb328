import { type Caller, type RequestFilter, type StatusClass, statusRanges } from '../../api/requests.ts';
import { textOf } from '../../search-params.ts';

const callers: readonly Caller[] = ['apps', 'anyone', 'user', 'apiKey', 'none', 'account'];

const isStatusClass = (text: string | undefined): text is StatusClass =>
  text !== undefined && Object.hasOwn(statusRanges, text);

/** What the address says of the calls that are looked for. */
export function readRequestSearch(search: Record<string, unknown>): RequestFilter & { paused?: true } {
  const [status, route, user, code] = [search.status, search.route, search.user, search.code].map(textOf);
  const who = callers.find((caller) => caller === search.who);
  const slower = Number(search.slower);
  const [from, to] = [timeOf(search.from), timeOf(search.to)];
  return {
    ...(isStatusClass(status) && { status }),
    ...(who && who !== 'apps' && { who }),
    ...(route && { route }),
    ...(user && { user }),
    ...(code && { code }),
    ...(slower > 0 && { slower }),
    ...(from && { from }),
    ...(to && { to }),
    ...(search.paused === true && { paused: true }),
  };
}

/** As the service writes times, so that they can be compared as texts. */
function timeOf(value: unknown): string | undefined {
  const text = textOf(value);
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
