/** Someone who answers the requests of works. */
export interface Contender {
  readonly name: string;
  readonly url: string;
  /** Answers the same to everything: measured with point reads only. */
  readonly isConstant?: boolean;
  /** Another service: measured at 64 connections only. */
  readonly isPeer?: boolean;
  readonly pid?: number;
  /** Where its metrics are. */
  readonly adminUrl?: string;
  /** What wrk runs; undefined for a work that it does not have. */
  readonly scriptOf: (work: string) => string | undefined;
}
