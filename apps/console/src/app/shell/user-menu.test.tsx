import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { UserMenu } from './user-menu.tsx'

async function open() {
  const user = {
    id: 1,
    username: 'ada',
    display_name: 'Ada',
    role: 1,
    group: 'default',
    has_default_password: false,
  }
  const root = createRootRoute({ component: () => <UserMenu user={user} /> })
  const history = createMemoryHistory({ initialEntries: ['/'] })
  render(<RouterProvider router={createRouter({ routeTree: root, history })} />)
  fireEvent.click(await screen.findByRole('button', { name: 'ada' }))
}

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key })
const focused = () => document.activeElement?.textContent?.trim()

it('arrow keys move through the items in a ring, Home and End jump to either end', async () => {
  await open()
  expect(focused()).toBe('My account')
  const walked = ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'x'].map((key) => {
    press(key)
    return focused()
  })
  expect(walked).toEqual(['Log out', 'My account', 'Log out', 'My account', 'Log out', 'Log out'])
})

it('Escape closes it and returns the focus to the button', async () => {
  await open()
  press('Escape')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(focused()).toBe('ada')
})

it('closes when Tab moves the focus out of it', async () => {
  await open()
  press('Tab')
  expect(screen.queryByRole('menu')).toBeNull()
})
