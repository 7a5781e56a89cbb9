import { type Redemption, REDEMPTION_STATUS } from '@tollgate/contract/redemption'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { copyText } from '../../shared/copy/copy.ts'
import { CreateButton } from '../../shared/page/create-button.tsx'
import { FilterSelect } from '../../shared/page/filter-select.tsx'
import { PageHeader } from '../../shared/page/page-header.tsx'
import { Page } from '../../shared/page/page.tsx'
import { SearchRow } from '../../shared/page/search-row.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { ColumnSettingsButton } from '../../shared/table/column-settings-button.tsx'
import type { RowKey } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { usePaging } from '../../shared/table/paging.ts'
import { useColumns } from '../../shared/table/use-columns.ts'
import { useRedemptionPage } from './api.ts'
import { CodeForm } from './code-form.tsx'
import { codeLines, codeState } from './code-state.ts'
import { useRedemptionColumns } from './columns.tsx'
import { redemptionMessages } from './i18n.ts'
import { RemoveByName } from './remove-by-name.tsx'
import { redemptionSearchSchema } from './search.ts'
import { useCodeActions, useDisableMany, useRemoveDisabled } from './use-code-actions.ts'

const COLUMNS_KEY = 'redemptions-table-columns'
const SECOND_MS = 1000
const nothing: ReadonlySet<RowKey> = new Set()

/** The codes of the site, for its operators. */
export default function RedemptionsPage() {
  const t = redemptionMessages.use()
  const [search, setSearch] = useSearchState(redemptionSearchSchema)
  const paging = usePaging(search.p, setSearch)
  const source = useRedemptionPage(search, paging.pageSize)
  const columns = useColumns(COLUMNS_KEY, useRedemptionColumns())
  const [edited, setEdited] = useState<Redemption | 'new'>()
  const [selected, setSelected] = useState(nothing)
  const actions = useCodeActions(setEdited)
  const isFiltered = search.keyword !== '' || search.status !== 0
  const createButton = <CreateButton onClick={() => setEdited('new')}>{t('create')}</CreateButton>

  return (
    <Page>
      <PageHeader
        title={t('title')}
        purpose={t('purpose')}
        actions={
          <>
            <SelectedActions
              codes={source.data?.rows.filter(({ id }) => selected.has(id)) ?? []}
              onDone={() => setSelected(nothing)}
            />
            <CleanUp />
            <ColumnSettingsButton settings={columns} />
            {createButton}
          </>
        }
      />
      <SearchRow
        keyword={search.keyword}
        placeholder={t('searchHint')}
        onSearch={(keyword) => setSearch({ keyword, p: 1 })}
        activeCount={search.status === 0 ? 0 : 1}
      >
        <FilterSelect
          label={t('column.status')}
          value={search.status}
          none={0}
          options={[
            { value: REDEMPTION_STATUS.unused, label: t('state.unused') },
            { value: REDEMPTION_STATUS.disabled, label: t('state.disabled') },
            { value: REDEMPTION_STATUS.used, label: t('state.used') },
          ]}
          onChange={(status) => setSearch({ status, p: 1 })}
        />
      </SearchRow>
      <DataTable
        label={t('title')}
        source={source}
        columns={columns.visible}
        rowKey={(code: Redemption) => code.id}
        isRowMuted={(code) => codeState(code, Date.now() / SECOND_MS) !== 'unused'}
        actions={actions}
        selection={{ keys: selected, onChange: setSelected }}
        paging={paging}
        empty={
          isFiltered
            ? { title: t('nothingFound') }
            : { title: t('emptyTitle'), text: t('emptyText'), action: createButton }
        }
      />
      {edited !== undefined && (
        <CodeForm
          key={edited === 'new' ? 'new' : edited.id}
          code={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  )
}

interface SelectedActionsProps {
  readonly codes: readonly Redemption[]
  readonly onDone: () => void
}

function SelectedActions({ codes, onDone }: SelectedActionsProps) {
  const t = redemptionMessages.use()
  const disableMany = useDisableMany()
  if (codes.length === 0) return null
  const disable = async () => {
    if (await disableMany(codes.map(({ id }) => id))) onDone()
  }
  return (
    <>
      <Button onClick={() => void copyText(codeLines(codes), { isSecret: true })}>
        {t('copyMany', { count: codes.length })}
      </Button>
      <Button danger onClick={() => void disable()}>
        {t('disableMany', { count: codes.length })}
      </Button>
    </>
  )
}

/** What deletes many codes at once. */
function CleanUp() {
  const t = redemptionMessages.use()
  const removeDisabled = useRemoveDisabled()
  const [isNaming, setIsNaming] = useState(false)
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'disabled', label: t('removeDisabled'), onClick: () => void removeDisabled() },
            { key: 'named', label: t('byName.title'), onClick: () => setIsNaming(true) },
          ],
        }}
      >
        <Button>{t('cleanUp')}</Button>
      </Dropdown>
      {isNaming && <RemoveByName onClose={() => setIsNaming(false)} />}
    </>
  )
}
