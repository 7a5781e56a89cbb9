import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { takeReturnTo } from './providers.ts'
import { TelegramButton } from './telegram-button.tsx'

beforeEach(() => void vi.stubGlobal('fetch', () => Promise.reject(new TypeError('unreachable'))))

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
  sessionStorage.clear()
})

it('remembers the current page, to which Telegram users return after binding or signing in', () => {
  render(
    <QueryClientProvider client={queryClient}>
      <TelegramButton returnTo="/personal" />
    </QueryClientProvider>,
  )
  expect(takeReturnTo()).toBe('/personal')
})
