import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { copyCauses } from '@tollgate/contract/installation'
import { afterEach, expect, it } from 'vitest'
import { useQuestion } from '../../../shared/confirm/confirm.ts'
import { signIn, signOut } from '../../../shared/session/session.ts'
import { CopyNotice } from './copy-notice.tsx'

afterEach(signOut)

function show(role: number, cause: (typeof copyCauses)[number] = 'restored') {
  signIn({ id: 1, username: 'ada', display_name: 'Ada', role, group: 'default', status: 1 })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <CopyNotice installation={{ is_confirmed: false, cause, since_time: 1_790_000_000 }} />
    </QueryClientProvider>,
  )
}

it.each(copyCauses)('the cause %s is said in words', (cause) => {
  show(100, cause)
  const region = screen.getByRole('region', { name: /copy that nobody has confirmed/ })
  expect(region.textContent).toMatch(/20\d\d/)
  expect(region.textContent).not.toContain('cause.')
})

it('the super admin is asked before the database becomes the original', () => {
  show(100)
  fireEvent.click(screen.getByRole('button', { name: 'This is the original now' }))
  expect(useQuestion.getState().question).toMatchObject({
    title: 'Is this database the original from now on?',
    consequence: expect.stringContaining('must no longer be in use'),
  })
})

it('an administrator reads who can confirm it, and has no button', () => {
  show(10)
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByRole('region').textContent).toContain('The super admin can confirm it.')
})
