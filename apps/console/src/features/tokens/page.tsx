import { useNavigate } from '@tanstack/react-router'
import type { Token } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { lazy, Suspense, useState } from 'react'
import { confirm } from '../../shared/confirm/confirm.ts'
import { notifyDone } from '../../shared/notify/notify.ts'
import { notifyingFailure } from '../../shared/notify/notifying-failure.ts'
import { CreateButton } from '../../shared/page/create-button.tsx'
import { SearchRow } from '../../shared/page/search-row.tsx'
import { Page } from '../../shared/page/page.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSearchState } from '../../shared/routing/search.ts'
import { ColumnSettingsButton } from '../../shared/table/column-settings-button.tsx'
import type { RowAction } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { usePaging } from '../../shared/table/paging.ts'
import { useColumns } from '../../shared/table/use-columns.ts'
import { useSelection } from '../../shared/table/use-selection.ts'
import { copyTokenKey, removeToken, setTokenStatus, useRefreshTokens, useTokenPage } from './api.ts'
import { useTokenColumns } from './columns.tsx'
import { tokenMessages } from './i18n.ts'
import { maskedKey } from '../../shared/ids/token-key.ts'
import { tokenSearchSchema } from './search.ts'
import { useBatchActions } from './use-batch-actions.ts'
import { useChatActions } from './use-chat-actions.ts'

const TokenForm = lazy(async () => ({ default: (await import('./token-form.tsx')).TokenForm }))

const COLUMNS_KEY = 'tokens-table-columns'
const idOf = (token: Token) => token.id

/** The caller's own API tokens. */
export default function TokensPage() {
  const t = tokenMessages.use()
  const [search, setSearch] = useSearchState(tokenSearchSchema)
  const paging = usePaging(search.p, setSearch)
  const source = useTokenPage({ keyword: search.keyword, page: search.p, pageSize: paging.pageSize })
  const columns = useColumns(COLUMNS_KEY, useTokenColumns())
  const [edited, setEdited] = useState<Token | 'new'>()
  const selection = useSelection(source.data?.rows, idOf)
  const batchActions = useBatchActions(selection)
  const actions = useTokenActions(setEdited)
  const createButton = <CreateButton onClick={() => setEdited('new')}>{t('create')}</CreateButton>

  return (
    <Page
      title={t('title')}
      purpose={t('purpose')}
      actions={
        <>
          <ColumnSettingsButton settings={columns} />
          {createButton}
        </>
      }
    >
      <SearchRow
        keyword={search.keyword}
        placeholder={t('searchHint')}
        onSearch={(text) => setSearch({ keyword: maskedKey(text), p: 1 })}
        activeCount={search.keyword === '' ? 0 : 1}
      />
      <DataTable
        label={t('title')}
        source={source}
        columns={columns.visible}
        rowKey={idOf}
        isRowMuted={(token) => token.status !== TOKEN_STATUS.enabled}
        actions={actions}
        selection={selection}
        batchActions={batchActions}
        paging={paging}
        empty={
          search.keyword === ''
            ? { title: t('emptyTitle'), text: t('emptyText'), action: createButton }
            : { title: t('nothingFound') }
        }
      />
      {edited !== undefined && (
        <Suspense fallback={null}>
          <TokenForm
            key={edited === 'new' ? 'new' : edited.id}
            token={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </Page>
  )
}

/** Actions on a token: copy, edit, connect a program, enable or disable, delete. */
function useTokenActions(edit: (token: Token) => void): (token: Token) => readonly RowAction[] {
  const t = tokenMessages.use()
  const refresh = useRefreshTokens()
  const chatWith = useChatActions()
  const navigate = useNavigate()

  async function setStatus(token: Token, status: number) {
    await setTokenStatus(token, status)
    notifyDone(status === TOKEN_STATUS.enabled ? t('enabled') : t('disabled'))
    await refresh()
  }
  const remove = (token: Token) =>
    confirm({
      title: t('removeTitle', { name: token.name }),
      consequence: t('removeText'),
      confirmLabel: t('word.delete'),
      isDestructive: true,
      action: async () => {
        await removeToken(token)
        notifyDone(t('removed'))
        await refresh()
      },
    })

  return (token) => [
    {
      key: 'copy',
      label: t('copyKey'),
      isInline: true,
      onSelect: notifyingFailure(() => copyTokenKey(token)),
    },
    { key: 'edit', label: t('word.edit'), isInline: true, onSelect: () => edit(token) },
    {
      key: 'connect',
      label: t('connect'),
      onSelect: () => void navigate({ to: paths.connect, search: { token: token.id } }),
    },
    chatWith(token),
    {
      key: token.status === TOKEN_STATUS.enabled ? 'disable' : 'enable',
      label: token.status === TOKEN_STATUS.enabled ? t('word.disable') : t('word.enable'),
      isInline: true,
      onSelect: notifyingFailure(() => setStatus(token, otherStatus(token))),
    },
    { key: 'remove', label: t('word.delete'), isDestructive: true, onSelect: () => void remove(token) },
  ]
}

function otherStatus({ status }: Token): 1 | 2 {
  return status === TOKEN_STATUS.enabled ? TOKEN_STATUS.disabled : TOKEN_STATUS.enabled
}
