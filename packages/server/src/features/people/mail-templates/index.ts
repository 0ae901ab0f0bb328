/** Mail templates: the texts that a project's server puts in the place of ours. */
export { checkTemplate } from './check-template.ts';
export { readWhich, replaceTemplate, restoreTemplate, type Which } from './manage-templates.ts';
export { addMailTemplateRoutes } from './routes.ts';
export { templateBody } from './schemas.ts';
