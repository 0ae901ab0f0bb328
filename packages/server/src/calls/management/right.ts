/** Who may call a route of management. */
export interface Right {
  /** `teammate`: of the project that the address names, or its owner. */
  readonly who: 'anyone' | 'account' | 'teammate' | 'owner';
  /** Which personal access tokens may: all, those that may write, none. */
  readonly tokens: 'all' | 'writing' | 'none';
  /** Only soon after a sign-in: a session that was left open must not be enough. */
  readonly isFresh?: boolean;
  /** It is about a project that waits to be deleted. */
  readonly isOfDeleted?: boolean;
  /**
   * A browser goes there in its window, without the dashboard's header: to `leave` from a page of the dashboard or by hand,
   * to `return` from wherever it was sent.
   */
  readonly navigation?: 'leave' | 'return';
}

/** The rights of every route, by its method and address. */
export type Rights = Readonly<Record<string, Right>>;
