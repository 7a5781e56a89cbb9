import { expect, it } from 'vitest'
import type { LoadFigures } from '../measure.ts'
import type { Row } from '../report.ts'
import { comparedFigures } from './compared-figures.ts'

const row = (target: string, connections: number, figures: Partial<LoadFigures>): Row => {
  const none = { requestsPerSecond: 0, medianMs: 0, p99Ms: 0, cpuMicrosPerRequest: 0, residentMiB: 0 }
  return { kind: 'whole', connections, target, figures: { ...none, requests: 1, failures: 0, ...figures } }
}

const usual = { users: 1, nodes: 1, workers: 1, frames: 200, isBundle: false }

it('takes shares, CPU and added time from the rows of gateway and bare relay', () => {
  const rows = [
    row('bare', 1, { medianMs: 0.25 }),
    row('gateway', 1, { medianMs: 1 }),
    row('bare', 32, { requestsPerSecond: 1000, cpuMicrosPerRequest: 50 }),
    row('gateway', 32, { requestsPerSecond: 300, cpuMicrosPerRequest: 200 }),
  ]
  expect(comparedFigures(rows, usual)).toEqual({
    'whole-1-added': 0.75,
    'whole-32': 30,
    'cpu-32': 4,
  })
  expect(comparedFigures(rows, { ...usual, users: 10_000 })).toEqual({ 'users-32': 30 })
  expect(comparedFigures(rows, { ...usual, workers: 2 })).toEqual({})
})

it('counts two nodes as twice their calls per CPU second beside those of one', () => {
  const rows = [
    row('gateway', 32, { cpuMicrosPerRequest: 250 }),
    row('one node', 32, { cpuMicrosPerRequest: 200 }),
  ]
  expect(comparedFigures(rows, { ...usual, nodes: 2 })).toEqual({ 'two-nodes': 1.6 })
})

it('takes the memory under load from the installed program alone', () => {
  const rows = [row('gateway', 256, { residentMiB: 240 })]
  expect(comparedFigures(rows, usual)).toEqual({})
  expect(comparedFigures(rows, { ...usual, isBundle: true })).toEqual({ 'busy-memory': 240 })
})
