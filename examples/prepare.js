// Creates collections and gives them their settings: what a developer does once, with the API key.
import { createClient, isPlinthError } from '@plinth/client';

const { collections } = createClient({
  url: process.env.BASE ?? 'http://localhost:4400',
  apiKey: process.env.KEY,
});

/** Creates a collection, or finds it there, and gives it its settings. */
export async function prepare(name, settings) {
  try {
    await collections.create({ name, settings });
  } catch (error) {
    if (!isPlinthError(error, 'collection_exists')) throw error;
    await collections.update(name, { settings });
  }
}
