/** Pages for the people who use an app: signing in, and what the links of mails lead to. */
export { addHostedPages } from './routes.ts';
export { style as pageStyle, styleHash as pageStyleHash } from './style.ts';
