import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../shared/api/query-client.ts'
import { setLanguage } from '../../shared/i18n/language.ts'
import type { FeatureAccess } from '../../shared/routing/feature.ts'
import { ForbiddenPage } from './forbidden-page.tsx'

beforeEach(() => void vi.stubGlobal('fetch', () => Promise.reject(new TypeError('unreachable'))))

afterEach(async () => {
  vi.unstubAllGlobals()
  queryClient.clear()
  await setLanguage('en')
})

async function titleFor(access: FeatureAccess): Promise<string | null> {
  const root = createRootRoute({ component: () => <ForbiddenPage access={access} /> })
  const history = createMemoryHistory({ initialEntries: ['/'] })
  const { unmount } = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createRouter({ routeTree: root, history })} />
    </QueryClientProvider>,
  )
  const title = (await screen.findByRole('heading')).textContent
  unmount()
  return title
}

it('names the role that the page needs, in both languages', async () => {
  expect(await titleFor('admin')).toBe('This page is for administrators')
  expect(await titleFor('root')).toBe('This page is for the super admin')
  await setLanguage('zh')
  expect(await titleFor('admin')).toBe('此页面仅限管理员访问')
  expect(await titleFor('root')).toBe('此页面仅限超级管理员访问')
})
