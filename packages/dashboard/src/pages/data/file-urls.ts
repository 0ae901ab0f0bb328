const mostFound = 24;

/** Addresses of the project's own files in a value, in the order in which they come. */
export function fileUrlsIn(value: unknown, ref: string): string[] {
  const place = `/files/${ref}/`;
  const found: string[] = [];
  const look = (part: unknown) => {
    if (found.length >= mostFound) return;
    if (typeof part === 'string') {
      if (part.length < 2000 && part.includes(place) && /^(https?:\/)?\//.test(part)) found.push(part);
    } else if (typeof part === 'object' && part !== null) Object.values(part).forEach(look);
  };
  look(value);
  return found;
}

export const hasFiles = (value: unknown, ref: string): boolean => fileUrlsIn(value, ref).length > 0;

export const isPicture = (url: string): boolean => /\.(png|jpe?g|gif|webp|avif)(\?|$)/i.test(url);
