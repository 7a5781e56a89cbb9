import { ApiError } from '@tollgate/contract/client'
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Column, RowKey, TableSource } from './column.ts'
import { DataTable } from './data-table.tsx'
import type { Paging } from './paging.ts'
import { PhoneList } from './phone-list.tsx'

interface City {
  readonly id: number
  readonly name: string
  readonly people: number
}

const cities: readonly City[] = [
  { id: 1, name: 'Bern', people: 134_000 },
  { id: 2, name: 'Graz', people: 289_000 },
  { id: 3, name: 'Lyon', people: 516_000 },
]

const columns: readonly Column<City>[] = [
  { key: 'name', title: 'Name', render: (city) => city.name, phone: 'title' },
  { key: 'people', title: 'People', render: (city) => city.people, isNumber: true, phone: 'value' },
]

const loaded: TableSource<City> = {
  data: { rows: cities, total: 25 },
  error: null,
  isFetching: false,
  refetch: vi.fn(),
}

function show(change: Partial<Parameters<typeof DataTable<City>>[0]> = {}) {
  render(
    <DataTable
      label="Cities"
      source={loaded}
      columns={columns}
      rowKey={(city) => city.id}
      empty={{ title: 'No cities yet' }}
      {...change}
    />,
  )
}

const rowOf = (name: string) => screen.getByText(name).closest('tr') ?? document.body

describe('states', () => {
  it('shows as many placeholders as the page has rows before the first response', () => {
    show({ source: { ...loaded, data: undefined, isFetching: true } })
    expect(document.querySelectorAll('tbody tr[aria-hidden]')).toHaveLength(10)
    expect(screen.getByRole('region', { name: 'Cities' })).toHaveProperty('ariaBusy', 'true')
  })

  it('shows what is missing from an empty list', () => {
    show({ source: { ...loaded, data: { rows: [], total: 0 } } })
    expect(screen.getByText('No cities yet')).toBeTruthy()
  })

  it('shows the reason for a failure and can retry', async () => {
    const refetch = vi.fn()
    show({ source: { data: undefined, error: new ApiError('', 429), isFetching: false, refetch } })
    expect(screen.getByRole('alert').textContent).toContain('Too many requests')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(refetch).toHaveBeenCalledOnce()
  })

  it('keeps its rows when a later request fails', () => {
    show({ source: { ...loaded, error: new ApiError('', 500) } })
    expect(screen.getByText('Bern')).toBeTruthy()
  })
})

describe('layout', () => {
  it('is denser with many columns only', () => {
    const many = Array.from({ length: 11 }, (_, index): Column<City> => {
      return { key: String(index), title: `Column ${index}`, render: (city) => city.name }
    })
    show({ columns: many })
    expect(screen.getByRole('table').className).toMatch(/dense/)
    cleanup()
    show()
    expect(screen.getByRole('table').className).not.toMatch(/dense/)
  })

  it('names the numbers of the second line of a row on a phone', () => {
    const details: readonly Column<City>[] = [
      { key: 'area', title: 'Area', render: () => '52 km²', isNumber: true, phone: 'detail' },
      { key: 'river', title: 'River', render: () => 'Aare', phone: 'detail' },
    ]
    render(
      <PhoneList
        label="Cities"
        rows={cities.slice(0, 1)}
        placeholderRows={1}
        columns={details}
        rowKey={(city) => city.id}
      />,
    )
    expect(screen.getByText('Area 52 km²')).toBeTruthy()
    expect(screen.getByText('Aare')).toBeTruthy()
  })

  it('shows columns that the two lines leave out in the opened row on a phone', async () => {
    const mayor: Column<City> = {
      key: 'mayor',
      title: 'Mayor',
      render: (city) => `M. ${city.name}`,
      phone: 'more',
    }
    render(
      <PhoneList
        label="Cities"
        rows={cities}
        columns={[...columns, mayor]}
        rowKey={(city) => city.id}
        placeholderRows={0}
      />,
    )
    expect(screen.queryByText('M. Graz')).toBeNull()
    await userEvent.click(screen.getAllByRole('button', { name: 'Show details' })[1] ?? document.body)
    expect(screen.getByText('M. Graz').previousElementSibling?.textContent).toBe('Mayor')
  })
})

describe('keyboard', () => {
  it('moves between rows, and opens and closes one', async () => {
    show({ renderDetails: (city) => <p>About {city.name}</p> })
    rowOf('Bern').focus()
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(rowOf('Graz'))
    await userEvent.keyboard('{ArrowRight}')
    expect(screen.getByText('About Graz')).toBeTruthy()
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(rowOf('Lyon'))
    await userEvent.keyboard('{ArrowUp}{ArrowLeft}')
    expect(screen.queryByText('About Graz')).toBeNull()
    await userEvent.keyboard('{Enter}')
    expect(screen.getByText('About Graz')).toBeTruthy()
  })

  it('has one tab stop', () => {
    show()
    expect(document.querySelectorAll('tr[tabindex="0"]')).toHaveLength(1)
  })
})

describe('actions and selection', () => {
  it('does not open the row when an action is clicked', async () => {
    const onSelect = vi.fn()
    show({
      renderDetails: (city) => <p>About {city.name}</p>,
      actions: () => [{ key: 'edit', label: 'Edit', isInline: true, onSelect }],
    })
    await userEvent.click(within(rowOf('Bern')).getByRole('button', { name: 'Edit' }))
    expect(onSelect).toHaveBeenCalledOnce()
    expect(screen.queryByText('About Bern')).toBeNull()
  })

  it('selects rows of this page and keeps those of others', async () => {
    const seen: ReadonlySet<RowKey>[] = []
    function Selecting() {
      const [keys, setKeys] = useState<ReadonlySet<RowKey>>(new Set([99]))
      seen.push(keys)
      return (
        <DataTable
          label="Cities"
          source={loaded}
          columns={columns}
          rowKey={(city) => city.id}
          empty={{ title: '' }}
          selection={{ keys, onChange: setKeys }}
        />
      )
    }
    render(<Selecting />)
    const all = screen.getByRole('checkbox', { name: 'Select all rows' })
    await userEvent.click(within(rowOf('Graz')).getByRole('checkbox'))
    expect(all).toHaveProperty('indeterminate', true)
    await userEvent.click(all)
    expect(seen.at(-1)).toEqual(new Set([1, 2, 3, 99]))
    await userEvent.click(all)
    expect(seen.at(-1)).toEqual(new Set([99]))
  })
})

it('goes to the next page and stops at the last', async () => {
  const paging: Paging = { page: 2, pageSize: 10, onPage: vi.fn(), onPageSize: vi.fn() }
  show({ paging })
  expect(screen.getByText('11–20 of 25')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(paging.onPage).toHaveBeenCalledExactlyOnceWith(3)
})

it('shows the details of the linked row until they are closed', async () => {
  show({ renderDetails: ({ people }) => <p>{people} people</p>, isOpenAtFirst: ({ id }) => id === 2 })
  expect(screen.queryByText('134000 people')).toBeNull()
  await userEvent.click(
    screen.getByText('289000 people').closest('tr')?.previousElementSibling ?? document.body,
  )
  expect(screen.queryByText('289000 people')).toBeNull()
})
