import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** The API serves the build below `/console` and puts a fresh nonce in place of `CSP_NONCE` (apps/api/src/routes/console). */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  // The client is built from its sources, so that the console can be built alone.
  resolve: { conditions: ['platform-source', ...defaultClientConditions] },
  html: { cspNonce: 'CSP_NONCE' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows files of the platform's own origin only, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
  worker: { format: 'es' },
  // `pnpm --filter @platform/console dev` while `pnpm start` is running.
  server: { proxy: { '/api': 'http://localhost:8080', '/dex': 'http://localhost:8080' } },
});
