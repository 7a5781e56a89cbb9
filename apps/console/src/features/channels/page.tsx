import { type Channel, CHANNEL_STATUS } from '@tollgate/contract/channel'
import { Button, Input, Switch } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useGroupNames } from '../../shared/api/group-names.ts'
import { Icon } from '../../shared/icon/icon.tsx'
import { CreateButton } from '../../shared/page/create-button.tsx'
import { FilterSelect } from '../../shared/page/filter-select.tsx'
import { PageHeader } from '../../shared/page/page-header.tsx'
import { Page } from '../../shared/page/page.tsx'
import { SearchRow } from '../../shared/page/search-row.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { storageKeys } from '../../shared/session/storage.ts'
import { useStoredFlag } from '../../shared/session/use-stored-flag.ts'
import { ColumnSettingsButton } from '../../shared/table/column-settings-button.tsx'
import type { RowKey } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { usePaging } from '../../shared/table/paging.ts'
import { useColumns } from '../../shared/table/use-columns.ts'
import { useChannelPage } from './api.ts'
import { AllMenu } from './bulk/all-menu.tsx'
import { SelectionBar } from './bulk/selection-bar.tsx'
import { TestProgress } from './bulk/test-progress.tsx'
import { ChannelForm } from './channel-form.tsx'
import styles from './channels.module.css'
import { useChannelColumns } from './columns.tsx'
import { ExplainDrawer } from './explain/explain-drawer.tsx'
import { HealthPanel } from './health/health-panel.tsx'
import { useHealth } from './health/use-health.ts'
import { channelMessages } from './i18n.ts'
import { KeysDrawer } from './keys/keys-drawer.tsx'
import { type ChannelSearch, channelSearchSchema } from './search.ts'
import { TagTable } from './tags/tag-table.tsx'
import { TestPicker } from './test-picker.tsx'
import { useEdited } from './use-edited.ts'
import { useChannelActions } from './use-channel-actions.ts'

const COLUMNS_KEY = 'channels-table-columns'
/** What one question for health may name. */
const HEALTH_MAX = 100

/** The upstreams of the site, for its operators. */
export default function ChannelsPage() {
  const t = channelMessages.use()
  const [search, setSearch] = useSearchState(channelSearchSchema)
  const paging = usePaging(search.p, setSearch)
  const [isById, setIsById] = useStoredFlag(storageKeys.channelsById)
  const [isByTag, setIsByTag] = useStoredFlag(storageKeys.channelsByTag)
  const source = useChannelPage(search, paging.pageSize, { isById, isByTag })
  const ids = useMemo(() => (source.data?.rows ?? []).slice(0, HEALTH_MAX).map(({ id }) => id), [source.data])
  const health = useHealth(ids)
  const columns = useColumns(COLUMNS_KEY, useChannelColumns(health))
  const [edited, setEdited] = useEdited()
  const [selected, setSelected] = useState<ReadonlySet<RowKey>>(new Set())
  const [keysOf, setKeysOf] = useState<Channel>()
  const [tested, setTested] = useState<Channel>()
  const [isExplaining, setIsExplaining] = useState(false)
  const [isTestWatched, setIsTestWatched] = useState(false)
  const actions = useChannelActions({
    edit: (channel) => setEdited(channel.id),
    showKeys: setKeysOf,
    pickModel: setTested,
  })
  const createButton = <CreateButton onClick={() => setEdited('new')}>{t('create')}</CreateButton>

  return (
    <Page>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        actions={
          <>
            <Button icon={<Icon name="route" />} onClick={() => setIsExplaining(true)}>
              {t('why')}
            </Button>
            <AllMenu onTesting={() => setIsTestWatched(true)} />
            <ColumnSettingsButton settings={columns} />
            {createButton}
          </>
        }
      />
      <TestProgress isWatched={isTestWatched} onClose={() => setIsTestWatched(false)} />
      <ChannelFilters search={search} onChange={(change) => setSearch({ ...change, p: 1 })}>
        <OrderSwitch label={t('byId')} isOn={isById} onChange={setIsById} />
        <OrderSwitch
          label={t('byTag')}
          isOn={isByTag}
          onChange={(isOn) => {
            setSelected(new Set())
            setIsByTag(isOn)
            setSearch({ p: 1 })
          }}
        />
      </ChannelFilters>
      <SelectionBar ids={[...selected].map(Number)} onDone={() => setSelected(new Set())} />
      {isByTag ? (
        <TagTable
          source={source}
          paging={paging}
          columns={columns.visible}
          actions={actions}
          isFiltered={activeFilters(search) > 0}
        />
      ) : (
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
          renderDetails={(channel) => <HealthPanel health={health.get(channel.id)} />}
        />
      )}
      {keysOf !== undefined && <KeysDrawer channel={keysOf} onClose={() => setKeysOf(undefined)} />}
      {tested !== undefined && <TestPicker channel={tested} onClose={() => setTested(undefined)} />}
      {isExplaining && <ExplainDrawer onClose={() => setIsExplaining(false)} />}
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

interface OrderSwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

function OrderSwitch({ label, isOn, onChange }: OrderSwitchProps) {
  return (
    <label className={styles.switch}>
      <Switch size="small" checked={isOn} onChange={onChange} />
      {label}
    </label>
  )
}

interface ChannelFiltersProps {
  readonly search: ChannelSearch
  readonly children: ReactNode
  readonly onChange: (change: Partial<ChannelSearch>) => void
}

function ChannelFilters({ search, children, onChange }: ChannelFiltersProps) {
  const t = channelMessages.use()
  const groups = useGroupNames()
  return (
    <SearchRow
      keyword={search.keyword}
      placeholder={t('searchHint')}
      onSearch={(keyword) => onChange({ keyword })}
      activeCount={activeFilters(search)}
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
      <FilterSelect
        label={t('groupHint')}
        value={search.group}
        none=""
        options={groups.map((group) => ({ value: group, label: group }))}
        onChange={(group) => onChange({ group })}
      />
      <FilterSelect
        label={t('column.status')}
        placeholder={t('statusHint')}
        value={search.status}
        none={0}
        options={[
          { value: CHANNEL_STATUS.enabled, label: t('status.enabled') },
          { value: CHANNEL_STATUS.disabled, label: t('status.disabled') },
          { value: CHANNEL_STATUS.autoDisabled, label: t('status.auto') },
        ]}
        onChange={(status) => onChange({ status })}
      />
      {children}
    </SearchRow>
  )
}

function activeFilters({ keyword, group, model, status }: ChannelSearch): number {
  return [keyword !== '', group !== '', model !== '', status !== 0].filter(Boolean).length
}
