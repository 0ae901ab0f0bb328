import { defineError } from '../../../platform/errors.ts';

export const notAnImage = defineError(
  'not_an_image',
  () =>
    'Only .jpg, .png, .webp and .gif files can be resized and converted. Request it without w, h, fit and format.',
);
export const imageTooLarge = defineError(
  'image_too_large',
  (limit: string) =>
    `The image has more than ${limit}, too much to resize. The file itself can be downloaded.`,
);
export const imageUnreadable = defineError(
  'image_unreadable',
  () => 'The image cannot be decoded: it is damaged or truncated. The file itself can be downloaded.',
);
export const imagesBusy = defineError('images_busy', () => ({
  message: 'Too many images are being resized at the moment. Try again in a few seconds.',
  headers: { 'Retry-After': '5' },
}));
