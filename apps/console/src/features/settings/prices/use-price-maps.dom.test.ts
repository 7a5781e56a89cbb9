import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../shared/api/query-client.ts'
import type { StoredSettings } from '../api.ts'
import { DraftProvider, useDraftStore, useDrafts } from '../use-drafts.ts'
import { usePriceMaps } from './use-price-maps.ts'

const stored: StoredSettings = new Map([
  ['ModelRatio', { text: '{"gpt-4o":1.25}', isSet: true, version: 1 }],
  ['SystemName', { text: 'Gate', isSet: true, version: 1 }],
])

beforeEach(() => {
  const answer = { success: true, message: '', data: ['my-model'] }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)))
})
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

function Page({ children }: { readonly children: ReactNode }) {
  const inside = createElement(DraftProvider, { value: useDraftStore(stored) }, children)
  return createElement(QueryClientProvider, { client: queryClient }, inside)
}

it('keeps what the price table shows while other settings are edited, and renews it with a price', async () => {
  const { result } = renderHook(() => ({ maps: usePriceMaps(), drafts: useDrafts() }), { wrapper: Page })
  await waitFor(() => expect(result.current.maps.served.has('my-model')).toBe(true))
  const before = result.current.maps
  expect(before.rows?.map(({ model }) => model)).toEqual(['gpt-4o', 'my-model'])

  act(() => result.current.drafts.enter('SystemName', 'Tollgate'))
  const after = result.current.maps
  expect(after).not.toBe(before)
  for (const name of ['rows', 'served', 'effective', 'extras', 'setPrices'] as const)
    expect(after[name], name).toBe(before[name])
  expect(after.isDirty).toBe(false)

  act(() => result.current.drafts.enter('ModelRatio', '{"gpt-4o":2}'))
  expect(result.current.maps.rows?.[0]).toEqual({ model: 'gpt-4o', parts: { ratio: 2 } })
  expect(result.current.maps.effective).not.toBe(before.effective)
  expect(result.current.maps.isDirty).toBe(true)
})
