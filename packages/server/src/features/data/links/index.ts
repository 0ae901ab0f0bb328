/** Links: fields that hold the id of another record, and following them. */
export { linkedCollections } from './find-links.ts';
export { forgetUnusedLinks } from './forget-links.ts';
export { LinkCatalogue } from './link-catalogue.ts';
export { listLinkRecords } from './list-links.ts';
export { holderOf, type LoadLinked, populate } from './populate.ts';
export { addLinkRoutes } from './routes.ts';
export { type FieldLink, listLinksTo } from './store.ts';
