import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { ApiError } from '@tollgate/contract/client'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Input } from 'antd'
import { afterEach, expect, it, vi } from 'vitest'
import { useQuestion } from '../confirm/confirm.ts'
import { Field } from './field.tsx'
import { ResourceForm } from './resource-form.tsx'

interface Thing {
  readonly id: number
  readonly name: string
}

afterEach(() => useQuestion.setState({ question: undefined }))

async function open(props: {
  initialValue?: Thing
  onSubmit?: (thing: Thing, attempt: { readonly operationKey: string }) => Promise<unknown>
  isEdit?: boolean
  loadError?: Error
}) {
  const onClose = vi.fn()
  const onReload = vi.fn()
  const rootRoute = createRootRoute({
    component: () => (
      <ResourceForm<Thing>
        title="Edit thing"
        initialValue={props.initialValue}
        loadError={props.loadError}
        onReload={onReload}
        isEdit={props.isEdit ?? false}
        problemFields={{ name: ['name_taken'] }}
        onSubmit={props.onSubmit ?? (() => Promise.resolve())}
        onClose={onClose}
      >
        <Field name="name" label="Name" isRequired>
          <Input />
        </Field>
      </ResourceForm>
    ),
  })
  render(<RouterProvider router={createRouter({ routeTree: rootRoute, history: createMemoryHistory() })} />)
  await screen.findByText('Edit thing')
  return { onClose, onReload }
}

const thing: Thing = { id: 7, name: 'East' }
const attempt = { operationKey: expect.stringMatching(/^[0-9a-f]{32}$/) }

it('submits all members, including the changed ones', async () => {
  const onSubmit = vi.fn(() => Promise.resolve())
  await open({ initialValue: thing, onSubmit })
  await userEvent.type(screen.getByLabelText(/Name/), ' 2')
  expect(screen.getByText('Unsaved changes')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ id: 7, name: 'East 2' }, attempt))
  await waitFor(() => expect(screen.queryByText('Unsaved changes')).toBeNull())
})

it('does not submit while a required field is empty, and names that field', async () => {
  const onSubmit = vi.fn(() => Promise.resolve())
  await open({ initialValue: { id: 7, name: '' }, onSubmit })
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Please fill in “Name”.')).toBeTruthy()
  expect(onSubmit).not.toHaveBeenCalled()
})

it('shows why saving failed and keeps the entered values', async () => {
  await open({ initialValue: thing, onSubmit: () => Promise.reject(new ApiError('The name is taken', 200)) })
  await userEvent.type(screen.getByLabelText(/Name/), '!')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('The name is taken')).toBeTruthy()
  expect(screen.getByLabelText(/Name/)).toHaveProperty('value', 'East!')
  expect(screen.getByText('Unsaved changes')).toBeTruthy()
})

it('shows an error of the server at the field it refers to', async () => {
  const taken = new ApiError('The name is taken', 200, { code: 'name_taken' })
  await open({ initialValue: thing, onSubmit: () => Promise.reject(taken) })
  await userEvent.type(screen.getByLabelText(/Name/), '!')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const error = await screen.findByText('The name is taken')
  expect(error.closest('.ant-form-item')?.textContent).toContain('Name')
})

it('closes without a call if nothing was changed', async () => {
  const onSubmit = vi.fn(() => Promise.resolve())
  const { onClose } = await open({ initialValue: thing, onSubmit, isEdit: true })
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(onSubmit).not.toHaveBeenCalled()
})

it('uses one operation key for all attempts at a save', async () => {
  const keys: string[] = []
  const onSubmit = (_thing: Thing, { operationKey }: { readonly operationKey: string }) => {
    keys.push(operationKey)
    return keys.length === 1 ? Promise.reject(new ApiError('', 0)) : Promise.resolve()
  }
  await open({ initialValue: thing, onSubmit })
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Unable to connect to the server.')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(keys).toHaveLength(2))
  expect(new Set(keys).size).toBe(1)
})

it('closes at once if nothing was changed, and asks before changes are lost', async () => {
  const { onClose } = await open({ initialValue: thing })
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(onClose).toHaveBeenCalledOnce()

  await userEvent.type(screen.getByLabelText(/Name/), '!')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(useQuestion.getState().question?.title).toBe('Discard the changes in “Edit thing”?')
  expect(onClose).toHaveBeenCalledOnce()
  useQuestion.getState().question?.answer(true)
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2))
})

it('offers to reload after a failed load', async () => {
  const { onReload } = await open({ loadError: new ApiError('Gone', 200) })
  expect(screen.getByRole('alert').textContent).toContain('Gone')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onReload).toHaveBeenCalledOnce()
})
