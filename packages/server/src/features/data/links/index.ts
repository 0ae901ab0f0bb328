/** Links: fields that hold the id of another record, and following them. */
export { CollectionLinks, LinkCatalogue } from './link-catalogue.ts';
export { holderOf, type LoadLinked, populate } from './populate.ts';
