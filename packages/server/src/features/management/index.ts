/** Managing projects: accounts, teams, settings, and the log of all that. */
export { rights } from './rights.ts';
