import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro/content/config';
import { docsLoader } from './docs-loader.ts';

export const collections = { docs: defineCollection({ loader: docsLoader, schema: docsSchema() }) };
