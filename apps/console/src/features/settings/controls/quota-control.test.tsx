import { QueryClientProvider } from '@tanstack/react-query'
import { optionDefinition } from '@tollgate/contract/options/index'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../shared/api/query-client.ts'
import { SettingControl } from './setting-control.tsx'

afterEach(() => queryClient.clear())

function show(value: string) {
  return render(
    <QueryClientProvider client={queryClient}>
      <SettingControl
        id="x"
        describedBy="y"
        definition={optionDefinition('QuotaForNewUser')}
        value={value}
        isSet
        isEntered={false}
        isFaulty={false}
        onChange={vi.fn()}
        onForget={vi.fn()}
      />
    </QueryClientProvider>,
  )
}

it.each([
  ['1000000', '= $2.00'],
  ['1000', '= $0.002'],
  ['0', '= $0.00'],
])('%s quota units are also shown as money', (value, money) => {
  show(value)
  expect(screen.getByText(money)).toBeTruthy()
})

it('text that is not an amount is not shown as money', () => {
  show('much')
  expect(screen.queryByText(/=/)).toBeNull()
})
