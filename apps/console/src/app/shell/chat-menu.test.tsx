import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { paths } from '../../shared/routing/paths.ts'
import { signIn, signOut } from '../../shared/session/session.ts'
import { storageKeys, writeJson } from '../../shared/session/storage.ts'
import { ChatMenu } from './chat-menu.tsx'

const links = [
  { 'Fine chat': 'https://chat.example/#{key}' },
  { Broken: 'no address' },
  { Cherry: 'cherry://x' },
]

beforeEach(() => {
  localStorage.clear()
  act(() => signIn({ id: 1, username: 'ada', role: 1, group: 'default' }))
})

async function show({ chats = links, at = '/log' }: { chats?: readonly unknown[]; at?: string } = {}) {
  writeJson(storageKeys.status, { chats })
  const root = createRootRoute({
    component: () => (
      <ul>
        <ChatMenu isFolded={false} />
      </ul>
    ),
  })
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path: paths.chat })]),
    history: createMemoryHistory({ initialEntries: [at] }),
    defaultNotFoundComponent: () => null,
  })
  const queryClient = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findAllByRole('list')
}

const heading = () => screen.getByRole('button', { name: 'Chat' })
const names = () => screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])

it('links to each working chat front-end by its position in the list', async () => {
  await show()
  fireEvent.click(heading())
  expect(names()).toEqual([
    ['Fine chat', '/chat/0'],
    ['Cherry', '/chat/2'],
  ])
  expect(document.getElementById(heading().getAttribute('aria-controls') ?? '')?.tagName).toBe('UL')
})

it('is folded at first, can be opened, and remembers whether it is open', async () => {
  await show()
  expect(heading().getAttribute('aria-expanded')).toBe('false')
  expect(names()).toEqual([])
  fireEvent.click(heading())
  expect(heading().getAttribute('aria-expanded')).toBe('true')
  cleanup()
  await show()
  expect(names()).toHaveLength(2)
  fireEvent.click(heading())
  cleanup()
  await show()
  expect(names()).toEqual([])
})

it('is marked as current while folded if the page is one of its links', async () => {
  await show({ at: '/chat/2' })
  expect(heading().getAttribute('aria-current')).toBe('true')
  fireEvent.click(heading())
  expect(screen.getByRole('link', { name: 'Cherry' }).getAttribute('aria-current')).toBe('page')
  expect(heading().getAttribute('aria-current')).toBeNull()
})

it('is absent without a working link and for a visitor', async () => {
  await show({ chats: [] })
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  await show({ chats: [{ Broken: 'no address' }] })
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  act(signOut)
  await show()
  expect(screen.queryByRole('button')).toBeNull()
})
