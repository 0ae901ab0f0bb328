import { type FileRecord, type ImageSize, imageUrl } from '@plinth/client';

const resized = /^image\/(jpeg|png|webp|gif)$/;

export const isPicture = ({ contentType }: Pick<FileRecord, 'contentType'>): boolean =>
  resized.test(contentType);

/** A picture in another size, by this page's own address: the service answers for files under every name that it has. */
export function pictureIn(url: string, size: ImageSize): string {
  const { pathname, search } = new URL(url);
  return imageUrl(`${pathname}${search}`, size);
}
