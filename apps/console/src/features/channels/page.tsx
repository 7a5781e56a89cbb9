import { type Channel, CHANNEL_STATUS } from '@tollgate/contract/channel'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { Icon } from '../../shared/icon/icon.tsx'
import { FilterRow } from '../../shared/page/filter-row.tsx'
import { PageHeader } from '../../shared/page/page-header.tsx'
import { Page } from '../../shared/page/page.tsx'
import { SearchInput } from '../../shared/page/search-input.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { ColumnSettingsButton } from '../../shared/table/column-settings-button.tsx'
import type { RowKey } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { usePaging } from '../../shared/table/paging.ts'
import { useColumns } from '../../shared/table/use-columns.ts'
import { useChannelPage, useGroupNames } from './api.ts'
import { ChannelForm } from './channel-form.tsx'
import styles from './channels.module.css'
import { useChannelColumns } from './columns.tsx'
import { channelMessages } from './i18n.ts'
import { type ChannelSearch, channelSearchSchema } from './search.ts'
import { useChannelActions, useRemoveMany } from './use-channel-actions.ts'

const COLUMNS_KEY = 'channels-table-columns'

/** The upstreams of the site, for its operators. */
export default function ChannelsPage() {
  const t = channelMessages.use()
  const [search, setSearch] = useSearchState(channelSearchSchema)
  const paging = usePaging(search.p, setSearch)
  const source = useChannelPage(search, paging.pageSize)
  const columns = useColumns(COLUMNS_KEY, useChannelColumns())
  const [edited, setEdited] = useState<number | 'new'>()
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set())
  const actions = useChannelActions((channel) => setEdited(channel.id))
  const createButton = (
    <Button type="primary" icon={<Icon name="plus" />} onClick={() => setEdited('new')}>
      {t('create')}
    </Button>
  )

  return (
    <Page>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        actions={
          <>
            <RemoveSelected selected={selected} onRemoved={() => setSelected(new Set())} />
            <ColumnSettingsButton settings={columns} />
            {createButton}
          </>
        }
      />
      <ChannelFilters search={search} onChange={(change) => setSearch({ ...change, p: 1 })} />
      <DataTable
        label={t('title')}
        source={source}
        columns={columns.visible}
        rowKey={(channel: Channel) => channel.id}
        isRowMuted={(channel) => channel.status !== CHANNEL_STATUS.enabled}
        actions={actions}
        selection={{ keys: selected, onChange: setSelected }}
        paging={paging}
        empty={
          activeFilters(search) === 0
            ? { title: t('emptyTitle'), text: t('emptyText'), action: createButton }
            : { title: t('nothingFound') }
        }
      />
      {edited !== undefined && (
        <ChannelForm
          key={edited}
          channelId={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

interface ChannelFiltersProps {
  readonly search: ChannelSearch
  readonly onChange: (change: Partial<ChannelSearch>) => void
}

function ChannelFilters({ search, onChange }: ChannelFiltersProps) {
  const t = channelMessages.use()
  const groups = useGroupNames()
  return (
    <FilterRow
      activeCount={activeFilters(search)}
      search={
        <SearchInput
          value={search.keyword}
          placeholder={t('searchHint')}
          onSearch={(keyword) => onChange({ keyword })}
        />
      }
    >
      <Input
        key={search.model}
        allowClear
        className={styles.filter}
        placeholder={t('modelHint')}
        aria-label={t('modelHint')}
        defaultValue={search.model}
        onPressEnter={(event) => onChange({ model: event.currentTarget.value.trim() })}
        onBlur={(event) => {
          const model = event.currentTarget.value.trim()
          if (model !== search.model) onChange({ model })
        }}
        onClear={() => onChange({ model: '' })}
      />
      <Select
        allowClear
        className={styles.filter}
        placeholder={t('groupHint')}
        aria-label={t('groupHint')}
        value={search.group === '' ? undefined : search.group}
        options={groups.map((group) => ({ value: group, label: group }))}
        onChange={(group) => onChange({ group: group ?? '' })}
      />
      <Select
        allowClear
        className={styles.filter}
        placeholder={t('statusHint')}
        aria-label={t('column.status')}
        value={search.status === 0 ? undefined : search.status}
        options={[
          { value: CHANNEL_STATUS.enabled, label: t('status.enabled') },
          { value: CHANNEL_STATUS.disabled, label: t('status.disabled') },
          { value: CHANNEL_STATUS.autoDisabled, label: t('status.auto') },
        ]}
        onChange={(status) => onChange({ status: status ?? 0 })}
      />
    </FilterRow>
  )
}

interface RemoveSelectedProps {
  readonly selected: ReadonlySet<RowKey>
  readonly onRemoved: () => void
}

function RemoveSelected({ selected, onRemoved }: RemoveSelectedProps) {
  const t = channelMessages.use()
  const removeMany = useRemoveMany()
  if (selected.size === 0) return null
  const remove = async () => {
    if (await removeMany([...selected].map(Number))) onRemoved()
  }
  return (
    <Button danger onClick={() => void remove()}>
      {t('removeMany', { count: selected.size })}
    </Button>
  )
}

function activeFilters({ keyword, group, model, status }: ChannelSearch): number {
  return [keyword !== '', group !== '', model !== '', status !== 0].filter(Boolean).length
}
