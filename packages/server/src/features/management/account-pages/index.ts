/** Pages that mailed links lead to: confirm an address, choose a password, join a project. */
export { shownCode } from './pages.ts';
export { addAccountPages } from './routes.ts';
export { problemPage } from './show-page.ts';
