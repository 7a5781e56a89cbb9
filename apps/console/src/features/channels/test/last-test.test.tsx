import type { Channel } from '@tollgate/contract/channel'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { LastTest } from './last-test.tsx'
import { TestPanel } from './test-panel.tsx'

const passed = {
  test_time: 1_764_000_000,
  response_time: 842,
  test_outcome: 'ok',
  test_status: 200,
  test_message: '',
  tested_model: 'gpt-4o',
}
const failed = {
  ...passed,
  response_time: 3,
  test_outcome: 'failed',
  test_status: 500,
  test_message: 'status code 500: boom',
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is shown of a test
const channel = (parts: object) => parts as Channel

it('a failed test is never shown as a normal response time', async () => {
  render(<LastTest channel={channel(failed)} />)
  expect(screen.queryByText('3 ms')).toBeNull()
  fireEvent.mouseEnter(screen.getByText('Failed · 500'))
  const tip = await screen.findByRole('tooltip')
  expect(tip.textContent).toMatch(/^20\d\d-\d\d-\d\d .* · gpt-4o · status code 500: boom$/)
})

it('a test without a response shows no status, a successful one shows its time, and a channel never tested is labelled so', () => {
  render(<LastTest channel={channel({ ...failed, test_status: 0 })} />)
  expect(screen.getByText('Failed')).toBeTruthy()
  render(<LastTest channel={channel(passed)} />)
  expect(screen.getByText('842 ms')).toBeTruthy()
  render(<LastTest channel={channel({ ...passed, test_time: 0, test_outcome: '' })} />)
  expect(screen.getByText('Not tested')).toBeTruthy()
})

it('a channel that was tested before outcomes were stored shows its time', () => {
  render(<LastTest channel={channel({ ...passed, test_outcome: '', test_status: 0 })} />)
  expect(screen.getByText('842 ms')).toBeTruthy()
})

it('an opened row shows why a test failed, and with which model', () => {
  render(<TestPanel channel={channel(failed)} />)
  const panel = screen.getByRole('region', { name: 'Last test' })
  expect(panel.textContent).toContain('Failed · 500')
  expect(panel.textContent).toContain('gpt-4o')
  expect(panel.textContent).toContain('status code 500: boom')
})
