/** What mails and text messages say: the templates, their built-in texts, a project's own ones, and how they look. */
export { chooseLanguage } from './choose-language.ts';
export { paragraphsOf } from './mail-blocks.ts';
export { commonVariables, defaultLanguage, renderFor } from './render-for.ts';
export { type RenderedMail, renderMail } from './render-mail.ts';
export { safeName } from './safe-name.ts';
export { listTemplates, removeTemplate, type StoredTemplate, saveTemplate } from './store.ts';
export {
  isTemplateName,
  type TemplateName,
  type TemplateReplacement,
  templateNames,
  templateOf,
  variablesOf,
} from './templates.ts';
export { isLanguage, type Language, supportedLanguages, textsIn } from './texts.ts';
