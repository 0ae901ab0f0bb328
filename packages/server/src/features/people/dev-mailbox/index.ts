/** The messages of `plinth dev`: kept in a folder instead of sent, and shown on a page. */
export { keepInFolder } from './mail-folder.ts';
export { addDevMailbox } from './pages.ts';
