import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  resolve: { conditions: ['@plinth/source', 'module', 'browser', 'development|production'] },
  build: {
    target: ['chrome120', 'firefox121', 'safari17.2'],
    // Nothing in the page itself: its policy allows no inline script or style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssMinify: 'lightningcss',
  },
  css: { modules: { localsConvention: 'camelCaseOnly' } },
});
