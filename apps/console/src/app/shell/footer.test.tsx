import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { storageKeys, writeJson } from '../../shared/session/storage.ts'
import { Footer } from './footer.tsx'

it('links to the about page and names the version', async () => {
  writeJson(storageKeys.status, { version: 'v0.1.0', footer_html: '' })
  const root = createRootRoute({ component: Footer, notFoundComponent: Footer })
  const router = createRouter({
    routeTree: root,
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const queryClient = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  const link = await screen.findByRole('link', { name: 'Tollgate' })
  expect(link.getAttribute('href')).toBe('/about')
  expect(screen.getByRole('contentinfo').textContent).toBe('Tollgate v0.1.0')
})
