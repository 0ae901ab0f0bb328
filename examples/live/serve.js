import { servePage } from '../serve-page.js';

await servePage(new URL('page/', import.meta.url));
