/** What is asked of the rules, as the address says it. */
export interface AccessSearch {
  /** `nobody`, `key`, `could-be`, or the id of an app user. */
  readonly as?: string;
  /** As JSON: a user that could be. */
  readonly who?: string;
  readonly action?: string;
  readonly doc?: string;
  readonly query?: string;
  readonly body?: string;
  /** The user whose view of the list is shown. */
  readonly see?: boolean;
}
