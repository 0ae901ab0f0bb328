/** What is done with all data of a project: it walks the tables of every feature. */
export { deleteProjectData } from './delete.ts';
export { removeDeletedRows } from './remove-rows.ts';
