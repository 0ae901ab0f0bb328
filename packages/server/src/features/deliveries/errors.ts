import { defineError } from '../../platform/errors.ts';

export const tooManyDeliveries = defineError('too_many_deliveries', (subscriber: string) => ({
  message: `The ${subscriber} has too many events waiting and is catching up. Retry in a moment, or write more slowly.`,
  headers: { 'Retry-After': '10' },
}));

export const deliveryNotFound = defineError('delivery_not_found', (id: string) => ({
  message: `There is no delivery with the id "${id}": it never existed, or is too old. List deliveries: GET …/deliveries.`,
  details: { id },
}));
