import { act, renderHook } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useSelection } from './use-selection.ts'

interface City {
  readonly id: number
  readonly name: string
}

const idOf = ({ id }: City) => id
const first: readonly City[] = [
  { id: 1, name: 'Bern' },
  { id: 2, name: 'Graz' },
]
const second: readonly City[] = [{ id: 3, name: 'Lyon' }]

it('rows selected on another page stay selected', () => {
  const { result, rerender } = renderHook(({ rows }) => useSelection(rows, idOf), {
    initialProps: { rows: first },
  })
  act(() => result.current.onChange(new Set([2])))
  rerender({ rows: second })
  act(() => result.current.onChange(new Set([2, 3])))
  expect(result.current.rows.map(({ name }) => name)).toEqual(['Graz', 'Lyon'])
  act(() => result.current.onChange(new Set([3])))
  expect([...result.current.keys]).toEqual([3])
  act(() => result.current.clear())
  expect(result.current.rows).toEqual([])
})

it('a selected row that is fetched again is replaced by its new version', () => {
  const { result, rerender } = renderHook(({ rows }) => useSelection(rows, idOf), {
    initialProps: { rows: first },
  })
  act(() => result.current.onChange(new Set([1])))
  rerender({ rows: [{ id: 1, name: 'Berne' }] })
  expect(result.current.rows).toEqual([{ id: 1, name: 'Berne' }])
})
