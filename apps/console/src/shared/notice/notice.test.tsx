import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { storageKeys } from '../session/storage.ts'
import { closeNotice, openNotice, useNotice } from './notice.ts'

const patient = { timeout: 20_000 }
const client = new QueryClient()

function wrapper({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

const answers = (text: string) => () =>
  Promise.resolve(Response.json({ success: true, message: '', data: text }))

it('is open until it is closed, and again when its text changes or the reader opens it', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(answers(' Down on **Sunday** '))
  const { result } = renderHook(() => useNotice(true), { wrapper })
  await vi.waitFor(
    () => expect(result.current).toEqual({ text: 'Down on **Sunday**', isOpen: true }),
    patient,
  )
  act(() => closeNotice('Down on **Sunday**'))
  expect(result.current.isOpen).toBe(false)
  expect(localStorage.getItem(storageKeys.closedNotice)).toBe('Down on **Sunday**')

  fetch.mockImplementation(answers('Back on Monday'))
  await act(() => client.invalidateQueries())
  await vi.waitFor(() => expect(result.current).toEqual({ text: 'Back on Monday', isOpen: true }), patient)
  act(() => closeNotice('Back on Monday'))
  act(openNotice)
  expect(result.current.isOpen).toBe(true)
})
