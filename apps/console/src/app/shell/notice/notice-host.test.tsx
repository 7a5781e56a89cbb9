import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { storageKeys } from '../../../shared/session/storage.ts'
import { openNotice } from './notice.ts'
import { NoticeHost } from './notice-host.tsx'

const answers = (text: string) => () =>
  Promise.resolve(Response.json({ success: true, message: '', data: text }))

function host(client: QueryClient) {
  return (
    <QueryClientProvider client={client}>
      <NoticeHost isEnabled />
    </QueryClientProvider>
  )
}

it('shows what is announced until it is closed, and again when it says something else', async () => {
  const user = userEvent.setup()
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(answers('Down on **Sunday**'))
  const client = new QueryClient()
  render(host(client))
  await user.click(await screen.findByRole('button', { name: 'Got it' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(localStorage.getItem(storageKeys.closedNotice)).toBe('Down on **Sunday**')

  fetch.mockImplementation(answers('Back on Monday'))
  await client.invalidateQueries()
  await screen.findByText('Back on Monday')
  await user.click(screen.getByRole('button', { name: 'Got it' }))
  await vi.waitFor(() => expect(screen.queryByText('Back on Monday')).toBeNull())

  openNotice()
  await screen.findByText('Back on Monday')
})
