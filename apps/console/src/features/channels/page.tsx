import { type Channel, channelSorts } from '@tollgate/contract/channel'
import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { Button, Switch } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { useGroupNames } from '../../shared/api/group-names.ts'
import { Icon } from '../../shared/icon/icon.tsx'
import { CreateButton } from '../../shared/page/create-button.tsx'
import { FilterInput } from '../../shared/page/filter-input.tsx'
import { FilterSelect } from '../../shared/page/filter-select.tsx'
import { Page } from '../../shared/page/page.tsx'
import { SearchRow } from '../../shared/page/search-row.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { storageKeys } from '../../shared/session/storage.ts'
import { useStoredFlag } from '../../shared/session/use-stored-flag.ts'
import { ColumnSettingsButton } from '../../shared/table/column-settings-button.tsx'
import { DataTable } from '../../shared/table/data-table.tsx'
import { usePaging } from '../../shared/table/paging.ts'
import { useColumns } from '../../shared/table/use-columns.ts'
import { useSelection } from '../../shared/table/use-selection.ts'
import { useChannelPage, useChannelTypes } from './api.ts'
import { AllMenu } from './bulk/all-menu.tsx'
import { TagSelected } from './bulk/tag-selected.tsx'
import { TestProgress } from './bulk/test-progress.tsx'
import { useBatchActions } from './bulk/use-batch-actions.ts'
import { ChannelForm } from './channel-form.tsx'
import styles from './channels.module.css'
import { useChannelColumns } from './columns.tsx'
import { ChannelDetails } from './details/channel-details.tsx'
import { ExplainDrawer } from './explain/explain-drawer.tsx'
import { useHealth } from './health/use-health.ts'
import { channelMessages } from './i18n/index.ts'
import { KeysDrawer } from './keys/keys-drawer.tsx'
import { type ChannelSearch, channelSearchSchema } from './search.ts'
import { TagTable } from './tags/tag-table.tsx'
import { TestFilter } from './test/test-filter.tsx'
import { TestPicker } from './test-picker.tsx'
import { useOpenForm } from './use-open-form.ts'
import { useChannelActions } from './use-channel-actions.ts'

const COLUMNS_KEY = 'channels-table-columns'
/** The most channels that one request for health may name. */
const HEALTH_MAX = 100
const idOf = (channel: Channel) => channel.id

/** The list of channels (upstreams), for operators. */
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
  const [edited, setEdited] = useOpenForm()
  const selection = useSelection(source.data?.rows, idOf)
  const [isTagging, setIsTagging] = useState(false)
  const selectedIds = selection.rows.map(idOf)
  const batchActions = useBatchActions({
    ids: selectedIds,
    clear: selection.clear,
    onTag: () => setIsTagging(true),
  })
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
    <Page
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
    >
      <TestProgress isWatched={isTestWatched} onClose={() => setIsTestWatched(false)} />
      <ChannelFilters search={search} onChange={(change) => setSearch({ ...change, p: 1 })}>
        <OrderSwitch label={t('byId')} isOn={isById} onChange={setIsById} />
        <OrderSwitch
          label={t('byTag')}
          isOn={isByTag}
          onChange={(isOn) => {
            selection.clear()
            setIsByTag(isOn)
            setSearch({ p: 1 })
          }}
        />
      </ChannelFilters>
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
          rowKey={idOf}
          isRowMuted={(channel) => channel.status !== CHANNEL_STATUS.enabled}
          actions={actions}
          selection={selection}
          batchActions={batchActions}
          sorting={{
            by: search.sort,
            isDescending: search.descending,
            onChange: ({ by, isDescending }) =>
              setSearch({
                sort: channelSorts.find((sort) => sort === by) ?? '',
                descending: isDescending,
                p: 1,
              }),
          }}
          paging={paging}
          empty={
            activeFilters(search) === 0
              ? { title: t('emptyTitle'), text: t('emptyText'), action: createButton }
              : { title: t('nothingFound') }
          }
          renderDetails={(channel) => <ChannelDetails channel={channel} health={health.get(channel.id)} />}
        />
      )}
      {isTagging && <TagSelected ids={selectedIds} onClose={() => setIsTagging(false)} />}
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
  const types = useChannelTypes()
  return (
    <SearchRow
      keyword={search.keyword}
      placeholder={t('searchHint')}
      onSearch={(keyword) => onChange({ keyword })}
      activeCount={activeFilters(search)}
    >
      <FilterInput label={t('word.model')} value={search.model} onChange={(model) => onChange({ model })} />
      <FilterSelect
        label={t('word.group')}
        value={search.group}
        none=""
        options={groups.map((group) => ({ value: group, label: group }))}
        onChange={(group) => onChange({ group })}
      />
      <FilterSelect
        label={t('column.type')}
        value={search.type}
        none={0}
        options={[...types.values()].map(({ type, label }) => ({ value: type, label }))}
        isSearchable
        onChange={(type) => onChange({ type })}
      />
      <FilterSelect
        label={t('word.status')}
        placeholder={t('word.anyStatus')}
        value={search.status}
        none={0}
        options={[
          { value: CHANNEL_STATUS.enabled, label: t('word.enabled') },
          { value: CHANNEL_STATUS.disabled, label: t('word.disabled') },
          { value: CHANNEL_STATUS.autoDisabled, label: t('status.auto') },
        ]}
        onChange={(status) => onChange({ status })}
      />
      <TestFilter value={search.test_outcome} onChange={(outcome) => onChange({ test_outcome: outcome })} />
      {children}
    </SearchRow>
  )
}

function activeFilters(search: ChannelSearch): number {
  const { keyword, group, model, status, type, test_outcome: outcome } = search
  const texts = [keyword, group, model, outcome].filter((text) => text !== '')
  return texts.length + [status, type].filter((number) => number !== 0).length
}
