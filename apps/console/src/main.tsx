import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/cards.css';
import './styles/list-table.css';
import './styles/states.css';
import './styles/changes.css';
import './styles/form.css';
import './styles/shell.css';
import './styles/grid.css';
import './styles/editor.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { retryDelay, shouldRetry } from './api/retry.ts';
import { router } from './app/router.tsx';
import { applySettings } from './app/settings.ts';

const queries = new QueryClient({
  defaultOptions: {
    // The browser's own idea of being online is not asked: it says nothing about the way to the platform.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      retry: shouldRetry,
      retryDelay: retryDelay,
      refetchOnWindowFocus: false,
    },
  },
});

applySettings();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
