/** The request log: what was called, how it ended, how long it took. */
export { getRequest, listRequests, type RequestQuery } from './list-requests.ts';
export { tendPartitions } from './partition-store.ts';
export type { RequestFilter } from './request-filter.ts';
export { RequestLog } from './request-log.ts';
export type { RequestRecord } from './request-record.ts';
export { RequestTail } from './request-tail.ts';
