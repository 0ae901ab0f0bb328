/** Delivery: answers the URLs of files, whole, in ranges, or as an image in another size. */
export { ImageVariants } from './image-variants.ts';
export { addDeliveryRoutes } from './routes.ts';
