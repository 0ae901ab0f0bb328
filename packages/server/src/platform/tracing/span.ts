/** A piece of work of a call. Times are in milliseconds since 1970. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly name: string;
  /** Of the call itself, or of what it waited for elsewhere. */
  readonly kind: 'server' | 'client';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isFailed: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}
