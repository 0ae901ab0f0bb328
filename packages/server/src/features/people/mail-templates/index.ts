/** Mail templates: the texts that a project's server puts in the place of ours. */
export { addMailTemplateRoutes } from './routes.ts';
