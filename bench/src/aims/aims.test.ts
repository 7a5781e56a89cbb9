import { describe, expect, it } from 'vitest'
import { aimKeys, aimsTable } from './aims-table.ts'
import { aims, judge } from './aims.ts'

describe('an aim', () => {
  it('with a lower bound is met at the bound and missed below it', () => {
    expect(judge(aims['whole-32'], 70)).toBe('met')
    expect(judge(aims['whole-32'], 69.9)).toBe('missed')
  })

  it('with an upper bound is met at the bound and missed above it', () => {
    expect(judge(aims.ready, 1_000)).toBe('met')
    expect(judge(aims.ready, 1_001)).toBe('missed')
  })

  it('without a figure, or with one that a failed run left, counts as not measured', () => {
    expect(judge(aims.ready, undefined)).toBe('not measured')
    expect(judge(aims.ready, Number.NaN)).toBe('not measured')
  })
})

describe('the table of aims', () => {
  it('has a line for every aim, also without any figure', () => {
    const lines = aimsTable({}).split('\n').slice(2)
    expect(lines).toHaveLength(aimKeys().length)
    expect(lines.every((line) => line.includes('not measured'))).toBe(true)
  })

  it('shows figure, bound and status', () => {
    const table = aimsTable({ 'cpu-32': 4.236, 'folded-sqlite': 45_001 })
    expect(cellsOf(table, 'CPU per call')).toEqual(['4.24 x', 'at most 1.60 x', 'missed'])
    expect(cellsOf(table, 'SQLite')).toEqual(['45001/s', 'at least 45000/s', 'met'])
  })
})

function cellsOf(table: string, name: string): readonly string[] | undefined {
  const line = table.split('\n').find((each) => each.includes(name))
  return line
    ?.split('|')
    .slice(2, 5)
    .map((cell) => cell.trim())
}
