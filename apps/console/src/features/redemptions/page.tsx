import type { Redemption } from '@tollgate/contract/redemption'
import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { CreateButton } from '../../shared/page/create-button.tsx'
import { FilterSelect } from '../../shared/page/filter-select.tsx'
import { Page } from '../../shared/page/page.tsx'
import { SearchRow } from '../../shared/page/search-row.tsx'
import { useSearchState } from '../../shared/routing/search.ts'
import { ColumnSettingsButton } from '../../shared/table/column-settings-button.tsx'
import { DataTable } from '../../shared/table/data-table.tsx'
import { usePaging } from '../../shared/table/paging.ts'
import { useColumns } from '../../shared/table/use-columns.ts'
import { useSelection } from '../../shared/table/use-selection.ts'
import { useRedemptionPage } from './api.ts'
import { CodeForm } from './code-form.tsx'
import { codeState } from './code-state.ts'
import { useRedemptionColumns } from './columns.tsx'
import { redemptionMessages } from './i18n.ts'
import { RemoveByName } from './remove-by-name.tsx'
import { ENDED, redemptionSearchSchema } from './search.ts'
import { useBatchActions } from './use-batch-actions.ts'
import { useCodeActions, useRemoveDisabled } from './use-code-actions.ts'

const COLUMNS_KEY = 'redemptions-table-columns'
const SECOND_MS = 1000
const idOf = (code: Redemption) => code.id

/** The list of redemption codes, for operators. */
export default function RedemptionsPage() {
  const t = redemptionMessages.use()
  const [search, setSearch] = useSearchState(redemptionSearchSchema)
  const paging = usePaging(search.p, setSearch)
  const source = useRedemptionPage(search, paging.pageSize)
  const columns = useColumns(COLUMNS_KEY, useRedemptionColumns())
  const [edited, setEdited] = useState<Redemption | 'new'>()
  const selection = useSelection(source.data?.rows, idOf)
  const batchActions = useBatchActions(selection.rows)
  const actions = useCodeActions(setEdited)
  const isFiltered = search.keyword !== '' || search.status !== 0
  const createButton = <CreateButton onClick={() => setEdited('new')}>{t('create')}</CreateButton>

  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      actions={
        <>
          <CleanUp />
          <ColumnSettingsButton settings={columns} />
          {createButton}
        </>
      }
    >
      <SearchRow
        keyword={search.keyword}
        placeholder={t('searchHint')}
        onSearch={(keyword) => setSearch({ keyword, p: 1 })}
        activeCount={search.status === 0 ? 0 : 1}
      >
        <FilterSelect
          label={t('word.status')}
          value={search.status}
          none={0}
          options={[
            { value: REDEMPTION_STATUS.unused, label: t('state.unused') },
            { value: ENDED, label: t('state.expired') },
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
        rowKey={idOf}
        isRowMuted={(code) => codeState(code, Date.now() / SECOND_MS) !== 'unused'}
        actions={actions}
        selection={selection}
        batchActions={batchActions}
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

/** Actions that delete many codes at once. */
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
