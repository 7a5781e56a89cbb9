import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../shared/api/query-client.ts'
import { Invitations } from './invitations.tsx'

const UNITS_PER_DOLLAR = 500_000

beforeEach(() => void vi.stubGlobal('fetch', () => Promise.reject(new TypeError('unreachable'))))

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

function transferButton(earned: number): HTMLElement {
  render(
    <QueryClientProvider client={queryClient}>
      <Invitations self={{ aff_quota: earned, aff_history_quota: earned, aff_count: 1 }} />
    </QueryClientProvider>,
  )
  return screen.getByRole('button', { name: 'Move to balance' })
}

it('shows the smallest transfer while less has been earned', () => {
  expect(transferButton(UNITS_PER_DOLLAR - 1)).toHaveProperty('disabled', true)
  expect(screen.getByText('The smallest transfer is $1.00.')).toBeTruthy()
})

it('offers the transfer once enough has been earned', () => {
  expect(transferButton(UNITS_PER_DOLLAR)).toHaveProperty('disabled', false)
  expect(screen.queryByText(/The smallest transfer/)).toBeNull()
})
