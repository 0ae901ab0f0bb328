import { defineError } from '../../platform/errors.ts';

export const tooManyDeliveries = defineError('too_many_deliveries', (subscriber: string) => ({
  message: `The ${subscriber} has more events waiting than may wait, and is catching up. Send the call again in a moment, or write more slowly.`,
  headers: { 'Retry-After': '10' },
}));

export const deliveryNotFound = defineError('delivery_not_found', (id: string) => ({
  message: `There is no delivery with the id "${id}": there never was, or it is too long ago. List them: GET …/deliveries.`,
  details: { id },
}));
