import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../shared/api/query-client.ts'
import type { StoredSettings } from '../api.ts'
import { type DraftStore, DraftProvider, useDraftStore } from '../use-drafts.ts'
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

it('keeps what the price table shows while other settings are edited, and renews it with a price', async () => {
  let drafts: DraftStore | undefined
  function Page({ children }: { readonly children: ReactNode }) {
    drafts = useDraftStore(stored)
    const inside = createElement(DraftProvider, { value: drafts }, children)
    return createElement(QueryClientProvider, { client: queryClient }, inside)
  }
  const { result } = renderHook(usePriceMaps, { wrapper: Page })
  await waitFor(() => expect(result.current.served.has('my-model')).toBe(true))
  const { rows, served, effective, extras, setPrices } = result.current
  expect(rows?.map(({ model }) => model)).toEqual(['gpt-4o', 'my-model'])

  act(() => drafts?.enter('SystemName', 'Tollgate'))
  const after = result.current
  expect(after.rows).toBe(rows)
  expect(after.served).toBe(served)
  expect(after.effective).toBe(effective)
  expect(after.extras).toBe(extras)
  expect(after.setPrices).toBe(setPrices)
  expect(after.isDirty).toBe(false)

  act(() => drafts?.enter('ModelRatio', '{"gpt-4o":2}'))
  expect(result.current.rows).not.toBe(rows)
  expect(result.current.rows?.[0]).toEqual({ model: 'gpt-4o', parts: { ratio: 2 } })
  expect(result.current.isDirty).toBe(true)
})
