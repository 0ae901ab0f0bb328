type Format = 'jpg' | 'png' | 'webp' | 'avif' | 'gif';

/** An image in another size or format. `fit` only applies if both `w` and `h` are set. */
export type ImageSize =
  | { readonly w?: number; readonly h?: never; readonly fit?: never; readonly format?: Format }
  | { readonly w?: never; readonly h: number; readonly fit?: never; readonly format?: Format }
  | {
      readonly w: number;
      readonly h: number;
      readonly fit?: 'cover' | 'contain' | 'fill' | 'inside' | 'outside';
      readonly format?: Format;
    };

/** The URL of an image in another size: `imageUrl(file.url, { w: 300, format: 'webp' })`. */
export function imageUrl(url: string, size: ImageSize): string {
  const wanted = Object.entries(size).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return [url, wanted.join('&')].filter(Boolean).join(url.includes('?') ? '&' : '?');
}
