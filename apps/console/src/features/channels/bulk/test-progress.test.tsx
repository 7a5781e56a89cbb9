import type { Job } from '@tollgate/contract/job'
import { cleanup, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { TestUnderWay } from './test-progress.tsx'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is shown of a run
const run = (parts: Partial<Job>) => parts as Job

it('shows the progress of a run once the total is known', () => {
  for (const early of [
    { state: 'running', done: 0, total: 0 },
    { state: 'asked', done: 9, total: 9 },
  ] as const) {
    render(<TestUnderWay run={run(early)} />)
    expect(screen.getByRole('alert').textContent).toBe('Starting to test all channels…')
    cleanup()
  }
  render(<TestUnderWay run={run({ state: 'running', done: 3, total: 201 })} />)
  expect(screen.getByText('Testing channels: 3 of 201')).toBeTruthy()
})
