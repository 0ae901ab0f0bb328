/** User ids that nobody else has: 60,000 from here on. */
const firstUser = 200_000;
const users = 60_000;

/**
 * A service that runs as root gives each process a user id of its own: one that got out of its walls would be nobody, and
 * nobody that other processes are. A service that is not root cannot, and need not: its walls map users already.
 */
export class OwnUsers {
  readonly #isRoot = process.getuid?.() === 0;
  #given = 0;

  next(): number | undefined {
    if (!this.#isRoot) return undefined;
    this.#given += 1;
    return firstUser + (this.#given % users);
  }

  /** The command as this user. */
  as(user: number | undefined, command: readonly string[]): readonly string[] {
    if (user === undefined) return command;
    const change = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--no-new-privs'];
    return ['setpriv', ...change, ...command];
  }
}
