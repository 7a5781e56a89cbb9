import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../shared/api/query-client.ts'
import type { StoredSettings } from '../api.ts'
import { DraftProvider, useDraftStore } from '../use-drafts.ts'
import { PriceTable } from './price-table.tsx'

const stored: StoredSettings = new Map(
  Object.entries({
    ModelRatio: '{"gpt-4o":1.25}',
    CacheRatio: '{"gpt-4o":0.5,"nobody-serves-this":0.5}',
  }).map(([key, text]) => [key, { text, isSet: true, version: 1 }]),
)

beforeEach(() => {
  const answer = { success: true, message: '', data: ['gpt-4o', 'my-model'] }
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)))
})

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

function Page() {
  return (
    <DraftProvider value={useDraftStore(stored)}>
      <PriceTable />
    </DraftProvider>
  )
}

async function open() {
  render(
    <QueryClientProvider client={queryClient}>
      <Page />
    </QueryClientProvider>,
  )
  await screen.findByText('my-model')
  return userEvent.setup()
}

function rowOf(model: string): HTMLElement {
  const row = screen.getByText(model).closest('tr')
  return row ?? expect.fail(`${model} has a row`)
}

it('shows every price that applies to a model, and marks the built-in ones', async () => {
  await open()
  const row = within(rowOf('gpt-4o'))
  expect(row.getByText('$10').title).toBe('Built-in')
  expect(row.getByText('$2.5', { selector: 'td' }).title).toBe('')
  expect(row.getByText('$1.25', { selector: 'td' })).toBeTruthy()
})

it('shows as a placeholder which value applies while a field is empty', async () => {
  const user = await open()
  await user.click(within(rowOf('gpt-4o')).getByRole('button', { name: 'Change' }))
  const output = await screen.findByLabelText<HTMLInputElement>('Output')
  expect(output.placeholder).toBe('10 (built-in)')
  const input = screen.getByLabelText('Input')
  await user.clear(input)
  await user.type(input, '5')
  expect(output.placeholder).toBe('20 (built-in)')
})

it('lists only served models as having no price, and none if the search matches none', async () => {
  const user = await open()
  await user.click(screen.getByTitle('Without a price'))
  expect(screen.getByText('my-model')).toBeTruthy()
  expect(screen.queryByText('nobody-serves-this')).toBeNull()
  await user.type(screen.getByLabelText('Search'), 'mistral')
  expect(await screen.findByText('No model fits these filters')).toBeTruthy()
})
