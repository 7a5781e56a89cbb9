import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../shared/api/query-client.ts'
import type { StoredSettings } from '../api.ts'
import { DraftProvider, useDraftStore } from '../use-drafts.ts'
import { CountedFees } from './counted-fees.tsx'

const note = (kind: string, quota: number) => ({
  kind,
  channel_id: 1,
  channel_name: 'one',
  model: 'grok-4',
  detail: '',
  calls: 2,
  quota,
  first_time: 1,
  last_time: 2,
})

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

/** Shows the banner of a site with this setting, and returns the settings that are stored. */
function show(value: string, charges: readonly object[]): readonly unknown[] {
  const saved: unknown[] = []
  vi.stubGlobal('fetch', (input: Request | string, init?: RequestInit) => {
    const address = typeof input === 'string' ? input : input.url
    if (init?.method === 'PUT') saved.push(JSON.parse(typeof init.body === 'string' ? init.body : ''))
    const data = address.includes('charges') ? charges : address.includes('option') ? [] : undefined
    return Promise.resolve(Response.json({ success: true, message: '', data }))
  })
  const stored: StoredSettings = new Map([['ListedFeesCharged', { text: value, isSet: true, version: 3 }]])
  const Page = () => (
    <DraftProvider value={useDraftStore(stored)}>
      <CountedFees />
    </DraftProvider>
  )
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  )
  return saved
}

it('the banner tells what the counted fees would have cost, and its button charges them', async () => {
  const saved = show('false', [
    note('fee_counted', 500_000),
    note('fee_counted', 250_000),
    note('waived', 900_000),
  ])
  await screen.findByText(/would have cost your users \$1\.50 more/)
  await userEvent.click(screen.getByRole('button', { name: 'Charge them from now on' }))
  await waitFor(() => expect(saved).toEqual([{ key: 'ListedFeesCharged', value: 'true', version: 3 }]))
})

it('a site that charges fees has no banner', () => {
  show('true', [])
  expect(screen.queryByRole('alert')).toBeNull()
})
