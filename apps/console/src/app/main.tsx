import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '../shared/design/base.css'
import '../shared/design/fonts.css'
import 'virtual:design-tokens.css'
import { queryClient } from '../shared/api/query-client.ts'
import { preloadPage, router } from './router.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

preloadPage(globalThis.location.pathname)
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
