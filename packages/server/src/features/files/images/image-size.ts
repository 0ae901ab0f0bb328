export const fits = ['cover', 'contain', 'fill', 'inside', 'outside'] as const;
export const imageFormats = ['jpg', 'png', 'webp', 'avif', 'gif'] as const;
export type ImageFormat = (typeof imageFormats)[number];
/** Width and height of a resized image, in pixels. @limit invalid_query */
export const maxSide = 4096;

/** How an image is asked for. */
export interface ImageSize {
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly fit: (typeof fits)[number];
  readonly format: ImageFormat;
}
