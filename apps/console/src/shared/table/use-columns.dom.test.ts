import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { Column } from './column.ts'
import { defaultChoice, useColumns } from './use-columns.ts'

const columns: readonly Column<object>[] = [
  { key: 'name', title: 'Name', render: () => 'name', isFixed: true },
  { key: 'time', title: 'Time', render: () => 'time' },
  { key: 'retry', title: 'Retry', render: () => 'retry', isHiddenAtFirst: true },
]

const visibleKeys = () => {
  const { result } = renderHook(() => useColumns('logs-table-columns', columns))
  return { keys: () => result.current.visible.map((column) => column.key), result }
}

beforeEach(() => localStorage.clear())

it('starts with the columns that are visible by default', () => {
  expect(visibleKeys().keys()).toEqual(['name', 'time'])
})

it('stores the choice under its key', () => {
  const { keys, result } = visibleKeys()
  act(() => result.current.choose({ time: false, retry: true }))
  expect(keys()).toEqual(['name', 'retry'])
  expect(JSON.parse(localStorage.getItem('logs-table-columns') ?? '')).toEqual({ time: false, retry: true })
  expect(visibleKeys().keys()).toEqual(['name', 'retry'])
})

it('never hides a fixed column, whatever is stored', () => {
  localStorage.setItem('logs-table-columns', JSON.stringify({ name: false, time: true }))
  expect(visibleKeys().keys()).toEqual(['name', 'time'])
})

it.each(['{', '[]', 'null', '{"time":"yes"}'])(
  'falls back to the defaults for the invalid stored choice %s',
  (stored) => {
    localStorage.setItem('logs-table-columns', stored)
    expect(visibleKeys().keys()).toEqual(['name', 'time'])
  },
)

it('provides the default choice for a reset', () => {
  expect(defaultChoice(columns)).toEqual({ name: true, time: true, retry: false })
})
