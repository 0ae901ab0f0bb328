import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isSignedOut, Refusal } from './api/management.ts';
import { applyLook, readLook } from './look.ts';
import { makeRouter } from './routes.ts';
import './tokens.css';

applyLook(readLook());

/** What the service has refused it refuses again; what could not be reached may be back. */
const isWorthRetrying = (failures: number, error: Error) =>
  failures < 2 && error instanceof Refusal && error.code === 'unreachable';

/** Whoever is signed out is led to the sign-in from wherever they are, and back afterwards. */
function leadToSignIn(error: Error): void {
  const { pathname, href } = router.state.location;
  if (isSignedOut(error) && pathname !== '/sign-in')
    void router.navigate({ to: '/sign-in', search: { to: href } });
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError: leadToSignIn }),
  mutationCache: new MutationCache({ onError: leadToSignIn }),
  defaultOptions: { queries: { retry: isWorthRetrying, staleTime: 10_000 } },
});
const router = makeRouter(queries);

/** What the service has refused is shown where it happened; anything else is a mistake of ours. */
function report(error: unknown): void {
  // oxlint-disable-next-line no-console -- whoever looks into it looks there
  if (!(error instanceof Refusal)) console.error(error);
}

const place = document.getElementById('app');
if (place)
  createRoot(place, { onCaughtError: report }).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
