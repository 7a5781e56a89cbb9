import { useMutation } from '@tanstack/react-query'
import { type AdminUser, DEACTIVATED_FILTER } from '@tollgate/contract/admin-user'
import { USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import { Button } from 'antd'
import { useCallback, useState } from 'react'
import { useGroupNames } from '../../shared/api/group-names.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
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
import { useUserPage } from './api.ts'
import { useUserColumns } from './columns.tsx'
import { CreateForm } from './create-form.tsx'
import { EditForm } from './edit-form.tsx'
import { exportUsers } from './export.ts'
import { userMessages } from './i18n.ts'
import { UserDrawer } from './profile/user-drawer.tsx'
import { type UserSearch, userSearchSchema } from './search.ts'
import { useBatchActions } from './use-batch-actions.ts'
import { useKeySearch } from './use-key-search.ts'
import { useUserActions } from './use-user-actions.ts'

const COLUMNS_KEY = 'users-table-columns'
const idOf = (user: AdminUser) => user.id

/** The list of all accounts, for administrators. */
export default function UsersPage() {
  const t = userMessages.use()
  const [search, setSearch] = useSearchState(userSearchSchema)
  const paging = usePaging(search.p, setSearch)
  const source = useUserPage(search, paging.pageSize)
  const [isCreating, setIsCreating] = useState(false)
  const onOpen = useCallback((user: AdminUser) => setSearch({ user: user.id }), [setSearch])
  const actions = useUserActions({ onOpen, onEdit: (user) => setSearch({ edit: user.id }) })
  const selection = useSelection(source.data?.rows, idOf)
  const batchActions = useBatchActions(selection.rows)
  const columns = useColumns(COLUMNS_KEY, useUserColumns(onOpen))

  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      actions={
        <>
          <ColumnSettingsButton settings={columns} />
          <ExportButton search={search} isDisabled={!source.data?.total} />
          <CreateButton onClick={() => setIsCreating(true)}>{t('create')}</CreateButton>
        </>
      }
    >
      <UserFilters
        search={search}
        onChange={(change) => setSearch({ ...change, p: 1 })}
        onOwner={(user) => setSearch({ user, tab: 'tokens' })}
      />
      <DataTable
        label={t('title')}
        source={source}
        columns={columns.visible}
        rowKey={idOf}
        isRowMuted={(user) => user.DeletedAt !== null || user.status !== USER_STATUS.enabled}
        actions={actions}
        selection={selection}
        batchActions={batchActions}
        paging={paging}
        empty={{ title: t('nothingFound'), text: t('word.otherFilter') }}
      />
      {search.user > 0 && (
        <UserDrawer
          key={search.user}
          userId={search.user}
          tab={search.tab}
          onTab={(tab) => setSearch({ tab }, { replace: true })}
          onEdit={() => setSearch({ edit: search.user })}
          onClose={() => setSearch({ user: 0, tab: 'profile' })}
        />
      )}
      {isCreating && <CreateForm onClose={() => setIsCreating(false)} />}
      {search.edit > 0 && (
        <EditForm key={search.edit} userId={search.edit} onClose={() => setSearch({ edit: 0 })} />
      )}
    </Page>
  )
}

interface UserFiltersProps {
  readonly search: UserSearch
  readonly onChange: (change: Partial<UserSearch>) => void
  readonly onOwner: (userId: number) => void
}

function UserFilters({ search, onChange, onOwner }: UserFiltersProps) {
  const t = userMessages.use()
  const groups = useGroupNames()
  const find = useKeySearch({ onWords: (keyword) => onChange({ keyword }), onOwner })
  return (
    <SearchRow
      keyword={search.keyword}
      placeholder={t('searchHint')}
      onSearch={find}
      activeCount={[search.group !== '', search.role !== 0, search.status !== 0].filter(Boolean).length}
    >
      <FilterSelect
        label={t('word.group')}
        value={search.group}
        none=""
        options={groups.map((group) => ({ value: group, label: group }))}
        onChange={(group) => onChange({ group })}
      />
      <FilterSelect
        label={t('column.role')}
        value={search.role}
        none={0}
        options={[
          { value: USER_ROLE.user, label: t('role.user') },
          { value: USER_ROLE.admin, label: t('role.admin') },
          { value: USER_ROLE.root, label: t('role.root') },
        ]}
        onChange={(role) => onChange({ role })}
      />
      <FilterSelect
        label={t('word.status')}
        value={search.status}
        none={0}
        options={[
          { value: USER_STATUS.enabled, label: t('word.enabled') },
          { value: USER_STATUS.disabled, label: t('word.disabled') },
          { value: DEACTIVATED_FILTER, label: t('status.deactivated') },
        ]}
        onChange={(status) => onChange({ status })}
      />
    </SearchRow>
  )
}

function ExportButton({ search, isDisabled }: { readonly search: UserSearch; readonly isDisabled: boolean }) {
  const t = userMessages.use()
  const { mutate, isPending } = useMutation({
    mutationFn: () => exportUsers(search),
    onSuccess: (name) => notifyDone(t('exported', { name })),
  })
  return (
    <Button loading={isPending} disabled={isDisabled} onClick={() => mutate()}>
      {t('word.export')}
    </Button>
  )
}
