// Keeps the files of the page, so that it opens without a connection. The list itself is kept by the client.
const name = 'groceries-1';

self.addEventListener('install', (event) => {
  const keep = async () => {
    const files = await (await fetch('files.json')).json();
    await (await caches.open(name)).addAll(files);
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** What is fresh, or what was kept where there is no connection. Calls to Plinth go their own way. */
self.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(fetch(event.request).catch(() => caches.match(event.request, { ignoreSearch: true })));
});
