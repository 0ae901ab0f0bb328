export { type PlinthCollectionOptions, plinthCollectionOptions } from './collection-options.ts';
