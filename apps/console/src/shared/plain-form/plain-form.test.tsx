import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { PlainButton } from '../page/plain-button.tsx'
import { PlainField } from './plain-field.tsx'
import { PlainForm } from './plain-form.tsx'
import { usePlainForm } from './use-plain-form.ts'

const onSubmit = vi.fn()

function Example({ isBusy = false }: { readonly isBusy?: boolean }) {
  const form = usePlainForm({
    checks: {
      name: (text) => (text === '' ? 'Who are you?' : undefined),
      password: (text) => (text.length < 3 ? 'Too short' : undefined),
      again: (text, { password }) => (text === password ? undefined : 'They differ'),
    },
    onSubmit,
  })
  return (
    <PlainForm form={form}>
      <PlainField form={form} name="name" label="Name" help="As friends call you" autoComplete="name" />
      <PlainField form={form} name="password" label="Password" type="password" autoComplete="new-password" />
      <PlainField form={form} name="again" label="Again" type="password" autoComplete="new-password" />
      <PlainButton isSubmit isBusy={isBusy}>
        Send
      </PlainButton>
      <PlainButton onClick={() => form.tell('name', 'Taken')}>Refuse</PlainButton>
    </PlainForm>
  )
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

/** The text that a screen reader reads after the name of the field. */
const descriptionOf = (label: string) =>
  (field(label).getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')

it('does not submit invalid values, shows the errors at the fields and focuses the first of them', async () => {
  onSubmit.mockClear()
  render(<Example />)
  expect(screen.queryByText('Who are you?')).toBeNull()
  await press('Send')
  expect(onSubmit).not.toHaveBeenCalled()
  expect(descriptionOf('Name')).toEqual(['Who are you?', 'As friends call you'])
  expect(field('Name').getAttribute('aria-invalid')).toBe('true')
  expect(document.activeElement).toBe(field('Name'))

  await userEvent.type(field('Name'), 'Ada')
  expect(field('Name').getAttribute('aria-invalid')).toBe('false')
  expect(descriptionOf('Name')).toEqual(['As friends call you'])
  await press('Send')
  expect(document.activeElement).toBe(field('Password'))
})

it('checks a field from its first change on, also when a related field changes', async () => {
  onSubmit.mockClear()
  render(<Example />)
  await userEvent.type(field('Name'), 'Ada')
  await userEvent.type(field('Password'), 'ab')
  expect(descriptionOf('Password')).toEqual(['Too short'])
  expect(descriptionOf('Again')).toEqual([''])
  await userEvent.type(field('Again'), 'abc')
  expect(descriptionOf('Again')).toEqual(['They differ'])
  await userEvent.type(field('Password'), 'c')
  expect(descriptionOf('Again')).toEqual([''])
  await userEvent.type(field('Again'), '{Enter}')
  expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ name: 'Ada', password: 'abc', again: 'abc' })
})

it('keeps an error set from outside until the field is changed', async () => {
  render(<Example />)
  await press('Refuse')
  expect(descriptionOf('Name')).toContain('Taken')
  expect(document.activeElement).toBe(field('Name'))
  await userEvent.type(field('Name'), 'B')
  expect(descriptionOf('Name')).not.toContain('Taken')
})

it('shows and hides a password', async () => {
  render(<Example />)
  expect(field('Password').type).toBe('password')
  for (const eye of screen.getAllByRole('button', { name: 'Show' })) await userEvent.click(eye)
  expect(field('Password').type).toBe('text')
  for (const eye of screen.getAllByRole('button', { name: 'Hide' })) await userEvent.click(eye)
  expect(field('Password').type).toBe('password')
})

it('is not submitted again while a submission is running', async () => {
  onSubmit.mockClear()
  render(<Example isBusy />)
  await userEvent.type(field('Name'), 'Ada')
  await userEvent.type(field('Password'), 'abc')
  await userEvent.type(field('Again'), 'abc{Enter}')
  await press('Send')
  expect(onSubmit).not.toHaveBeenCalled()
})
