import { useMutation } from '@tanstack/react-query'
import type { OptionChange } from '@tollgate/contract/option-history'
import { isOptionKey, optionDefinition } from '@tollgate/contract/options/index'
import { Drawer } from 'antd'
import { useLanguage } from '../../../shared/i18n/language.ts'
import { notifyDone } from '../../../shared/notify/notify.ts'
import type { Column } from '../../../shared/table/column.ts'
import { DataTable } from '../../../shared/table/data-table.tsx'
import { momentColumn } from '../../../shared/table/moment-column.tsx'
import { revertChange, useHistory, useRefreshSettings } from '../api.ts'
import { settingMessages } from '../i18n/index.ts'
import { ALL_KEYS } from '../search.ts'
import { useDrafts } from '../use-drafts.ts'
import { Diff } from './diff.tsx'

const PAGE_SIZE = 10

interface HistoryDrawerProps {
  /** A setting's key, or `all`. */
  readonly settingKey: string
  readonly page: number
  readonly onPage: (page: number) => void
  readonly onClose: () => void
}

/** The history of a setting: who changed it, when, and to what value. One click reverts a change. */
export function HistoryDrawer({ settingKey, page, onPage, onClose }: HistoryDrawerProps) {
  const t = settingMessages.use()
  const language = useLanguage()
  const source = useHistory(settingKey, page, PAGE_SIZE)
  const revert = useRevert()
  const columns = useHistoryColumns(settingKey === ALL_KEYS)
  const name = isOptionKey(settingKey) ? optionDefinition(settingKey).label[language] : ''
  return (
    <Drawer
      open
      size={880}
      title={name === '' ? t('history.all') : t('historyOf', { name })}
      onClose={onClose}
    >
      <DataTable
        label={t('history')}
        source={source}
        columns={columns}
        rowKey={(change: OptionChange) => change.id}
        renderDetails={(change) => (
          <Diff before={change.before ?? defaultOf(change.key)} after={change.after} />
        )}
        actions={(change) => [
          {
            key: 'revert',
            label: t('history.revert'),
            isInline: true,
            refusal: change.can_revert ? undefined : t('history.hidden'),
            onSelect: () => revert(change),
          },
        ]}
        paging={{ page, pageSize: PAGE_SIZE, onPage }}
        empty={{ title: t('history.none'), text: t('history.noneText') }}
      />
    </Drawer>
  )
}

function useRevert(): (change: OptionChange) => void {
  const t = settingMessages.use()
  const refresh = useRefreshSettings()
  const { forget } = useDrafts()
  const { mutate } = useMutation({
    mutationFn: (change: OptionChange) => revertChange(change.id),
    onSuccess: async ({ key }) => {
      if (isOptionKey(key)) forget([key])
      notifyDone(t('history.reverted', { key }))
      await refresh()
    },
  })
  return mutate
}

function useHistoryColumns(isOfAll: boolean): readonly Column<OptionChange>[] {
  const t = settingMessages.use()
  const language = useLanguage()
  const nameOf = (key: string) => (isOptionKey(key) ? optionDefinition(key).label[language] : key)
  const setting: Column<OptionChange> = {
    key: 'setting',
    title: t('history.setting'),
    phone: 'title',
    render: (change) => <span title={change.key}>{nameOf(change.key)}</span>,
  }
  return [
    ...(isOfAll ? [setting] : []),
    momentColumn({
      key: 'time',
      title: t('word.time'),
      phone: 'value',
      seconds: (change) => change.changed_at,
    }),
    {
      key: 'who',
      title: t('history.who'),
      phone: 'detail',
      render: (change) => change.changed_by_name || `#${change.changed_by}`,
    },
    { key: 'version', title: t('word.version'), isNumber: true, render: (change) => change.version },
    {
      key: 'change',
      title: t('word.change'),
      phone: isOfAll ? 'detail' : 'title',
      render: (change) =>
        `${brief(change.before, t('history.default'), t('word.empty'))} → ${brief(change.after, '', t('word.empty'))}`,
    },
  ]
}

/** The value that applied before anything was stored. The console does not know the built-in price tables. */
function defaultOf(key: string): string {
  return isOptionKey(key) ? (optionDefinition(key).default ?? '') : ''
}

const CHARACTERS_MAX = 18

function brief(text: string | null, missing: string, empty: string): string {
  if (text === null) return missing
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return empty
  return line.length <= CHARACTERS_MAX ? line : `${line.slice(0, CHARACTERS_MAX)}…`
}
