import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import dayjs from 'dayjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../shared/api/query-client.ts'
import { ConfirmHost } from '../../../shared/confirm/confirm-host.tsx'
import { LogCleanUp } from './log-clean-up.tsx'

const TIME = '2026-01-31 12:30'

const fetched = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>()

beforeEach(() => void vi.stubGlobal('fetch', fetched))

afterEach(() => {
  vi.unstubAllGlobals()
  fetched.mockReset()
  queryClient.clear()
})

function open() {
  render(
    <QueryClientProvider client={queryClient}>
      <LogCleanUp />
      <ConfirmHost />
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

/** Enters the text at once; with each key the calendar would be rendered again. */
async function enter(user: UserEvent, text: string) {
  await user.click(screen.getByLabelText('Clean up the usage log'))
  await user.paste(text)
}

async function cleanUp(answer: object) {
  fetched.mockImplementation(() => Promise.resolve(Response.json(answer)))
  const user = open()
  await enter(user, TIME)
  await user.keyboard('{Enter}')
  await user.click(screen.getByRole('button', { name: 'Clean up' }))
  const dialog = await screen.findByRole('dialog')
  expect(dialog.textContent).toContain(`Delete all log rows before ${TIME}:00?`)
  expect(fetched).not.toHaveBeenCalled()
  const buttons = screen.getAllByRole('button', { name: 'Clean up', hidden: true })
  await user.click(buttons.find((button) => dialog.contains(button)) ?? dialog)
}

it('requires a time before it deletes log rows', async () => {
  const user = open()
  await user.click(screen.getByRole('button', { name: 'Clean up' }))
  expect(screen.getByText('Please choose a time')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(fetched).not.toHaveBeenCalled()
})

it('deletes the log up to the chosen time after a confirmation, and shows how many rows were deleted', async () => {
  await cleanUp({ success: true, message: '', data: 42 })
  expect(await screen.findByText('42 log rows deleted')).toBeTruthy()
  const [url = '', init] = fetched.mock.calls[0] ?? []
  expect(url).toContain(`/api/log?target_timestamp=${dayjs(TIME).unix()}`)
  expect(init?.method).toBe('DELETE')
})

it('shows that the log could not be cleaned up, and why', async () => {
  await cleanUp({ success: false, message: 'The database does not respond', code: 'x' })
  expect(await screen.findByText('The log could not be cleaned up')).toBeTruthy()
  expect(screen.getByText('The database does not respond')).toBeTruthy()
})

it.each(['not a date', '2097-01-31 12:30'])(
  'deletes nothing if the time is invalid or in the future: %s',
  async (text) => {
    const user = open()
    await enter(user, text)
    await user.click(screen.getByRole('button', { name: 'Clean up' }))
    expect(screen.getByText('Please choose a time')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)
