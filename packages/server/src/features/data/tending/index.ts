/** Tending: builds and drops the indexes of a collection in the background, and makes those that slow queries lack. */
export { indexTasks } from './jobs.ts';
