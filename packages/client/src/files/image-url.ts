type Format = 'jpg' | 'png' | 'webp' | 'avif' | 'gif';

/** A picture in another size or format. How it gets into a box is a question only where both sides are given. */
export type ImageSize =
  | { readonly w?: number; readonly h?: never; readonly fit?: never; readonly format?: Format }
  | { readonly w?: never; readonly h: number; readonly fit?: never; readonly format?: Format }
  | {
      readonly w: number;
      readonly h: number;
      readonly fit?: 'cover' | 'contain' | 'fill' | 'inside' | 'outside';
      readonly format?: Format;
    };

/** The address of a picture in another size: `imageUrl(file.url, { w: 300, format: 'webp' })`. */
export function imageUrl(url: string, size: ImageSize): string {
  const wanted = Object.entries(size).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return [url, wanted.join('&')].filter(Boolean).join(url.includes('?') ? '&' : '?');
}
