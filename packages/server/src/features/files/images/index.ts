/** Images: their size in pixels, what a URL asks of one, and making that. */
export { imagesBusy } from './errors.ts';
export { imageParameters } from './image-parameters.ts';
export { readImageQuery, variantName } from './image-query.ts';
export { ImageResizer } from './image-resizer.ts';
export type { ImageFormat, ImageSize } from './image-size.ts';
export { pixelsOf } from './pixels.ts';
