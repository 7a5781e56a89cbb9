import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { settingTabs } from '@tollgate/contract/options/index'
import { quota } from '@tollgate/contract/options/kinds'
import type { SettingSection, SettingTab } from '@tollgate/contract/options/section'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { queryClient } from '../../shared/api/query-client.ts'
import type { StoredSettings } from './api.ts'
import { findSettings } from './find/find-settings.ts'
import { Section } from './section.tsx'
import { fieldsOf, tabOf } from './tab.ts'
import { DraftProvider, useDraftStore } from './use-drafts.ts'

/** The check-in section with one more setting declared; nothing else is changed. */
const before = tabOf('operation')
const sections = before.sections.map((section) =>
  section.key === 'check-in'
    ? {
        ...section,
        settings: {
          ...section.settings,
          'new.gift': quota(500, {
            label: { en: 'Birthday gift', zh: '生日礼物' },
            help: { en: 'Added on the birthday of a user.', zh: '用户生日当天赠送的额度。' },
          }),
        },
      }
    : section,
)
const tab: SettingTab = { ...before, sections }

afterEach(() => {
  cleanup()
  queryClient.clear()
})

it('finds a newly declared setting by its name and its help, in both languages', () => {
  const tabs = [tab, ...settingTabs.slice(1)]
  for (const typed of ['birthday gift', '生日礼物', 'added birthday', 'new.gift'])
    expect(findSettings(tabs, typed).map(({ section, field }) => [section.key, field?.key])).toEqual([
      ['check-in', 'new.gift'],
    ])
})

it('shows a newly declared setting in the form of its section, with the control of its kind', async () => {
  const section = sections.find(({ key }) => key === 'check-in')
  if (section === undefined) throw new Error('There is no section about check-ins.')
  const stored: StoredSettings = new Map(
    fieldsOf(section).map(({ key, definition }) => [
      key,
      { text: definition.default ?? '', isSet: true, version: 0 },
    ]),
  )
  show(section, stored)
  expect((await screen.findByLabelText<HTMLInputElement>('Birthday gift')).value).toBe('500')
  expect(screen.getByText('Added on the birthday of a user.')).toBeTruthy()
  expect(screen.getByText('= $0.001')).toBeTruthy()
})

function show(section: SettingSection, stored: StoredSettings) {
  function Form() {
    const book = useDraftStore(stored)
    return (
      <DraftProvider value={book}>
        <Section tab={tab} section={section} onHistory={() => undefined} />
      </DraftProvider>
    )
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: Form }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  return render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}
