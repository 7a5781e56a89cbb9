import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { dateTime } from '../../shared/format/time.ts'
import { useValueWords } from './use-value-words.ts'

const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } })
const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
)

const ENDS = 1_803_739_295

test.each([
  ['token', 'expired_time', '-1', 'No limit'],
  ['token', 'expired_time', String(ENDS), dateTime(ENDS)],
  ['redemption', 'valid_until', '0', 'No limit'],
  ['redemption', 'quota', '500000', '$1.000000'],
  ['channel', 'status', '2', 'Disabled'],
  ['user', 'role', '100', 'Super admin'],
  ['channel', 'priority', '10', '10'],
  ['channel', 'name', 'Tokyo 2', 'Tokyo 2'],
])('the %s field %s with %s is shown as %s', (entity, name, text, shown) => {
  const { result } = renderHook(() => useValueWords(entity), { wrapper })
  expect(result.current(name, text)).toBe(shown)
})
