import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { operationsRoutes, type MemberSightingRow } from '@tollgate/contract/operations'
import { optionRoutes } from '@tollgate/contract/option'
import { Button } from 'antd'
import { useMemo } from 'react'
import { api } from '../../shared/api/client.ts'
import { QueryFailure } from '../../shared/page/error-state.tsx'
import { Section } from '../../shared/page/section.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { role, useSessionUser } from '../../shared/session/session.ts'
import type { Column } from '../../shared/table/column.ts'
import { DataTable } from '../../shared/table/data-table.tsx'
import { momentColumn } from '../../shared/table/moment-column.tsx'
import { operationMessages } from './i18n.ts'

const QUERY_KEY = ['operations', 'members'] as const
const HARMLESS = 'member_setting.harmless_members'

/** Members of requests that no table knows, and those that were taken out, by channel. */
export function Members() {
  const t = operationMessages.use()
  const query = useQuery({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => api.call(operationsRoutes.members, { signal }),
  })
  const { data } = query
  const unknownColumns = useColumns('unknown')
  const takenColumns = useColumns('taken')
  return (
    <>
      <Section title={t('members')} purpose={t('members.purpose')}>
        <QueryFailure query={query} />
        <DataTable
          label={t('members')}
          source={{ ...query, data: wrapRows(data?.unknown) }}
          columns={unknownColumns}
          rowKey={rowKey}
          empty={{ title: t('members.none') }}
        />
      </Section>
      <Section title={t('taken')} purpose={t('taken.purpose')}>
        <DataTable
          label={t('taken')}
          source={{ ...query, data: wrapRows(data?.taken) }}
          columns={takenColumns}
          rowKey={rowKey}
          empty={{ title: t('taken.none') }}
        />
      </Section>
    </>
  )
}

function wrapRows(rows: readonly MemberSightingRow[] | undefined) {
  return rows && { rows, total: rows.length }
}

function rowKey({ wire, member, channel_id: channelId }: MemberSightingRow): string {
  return `${wire} ${member} ${channelId}`
}

function useColumns(kind: 'unknown' | 'taken'): readonly Column<MemberSightingRow>[] {
  const t = operationMessages.use()
  return useMemo(
    () => [
      {
        key: 'member',
        title: t('column.member'),
        phone: 'title',
        render: ({ wire, member }) => (
          <span className="code">
            {wire} · {member}
          </span>
        ),
      },
      {
        key: 'channel',
        title: t('word.channel'),
        phone: 'detail',
        render: ({ channel_id: id, channel_name: name, provider }) => (
          <Link to={paths.channels} search={{ keyword: String(id) }}>
            {name === '' ? `#${id}` : name} · {provider}
          </Link>
        ),
      },
      {
        key: 'client',
        title: t('column.client'),
        phone: 'more',
        render: ({ client, client_version: version }) => `${client} ${version}`,
      },
      momentColumn<MemberSightingRow>({
        key: 'first',
        title: t('column.first'),
        phone: 'more',
        seconds: (row) => row.first_time,
      }),
      {
        key: 'counts',
        title: kind === 'unknown' ? t('column.passedTaken') : t('column.taken'),
        phone: 'value',
        isNumber: true,
        render: ({ passed, taken }) => (kind === 'unknown' ? `${passed} · ${taken}` : String(taken)),
      },
      ...(kind === 'unknown'
        ? [
            {
              key: 'pass',
              title: '',
              phone: 'more' as const,
              render: (row: MemberSightingRow) => <PassMember row={row} />,
            },
          ]
        : []),
    ],
    [t, kind],
  )
}

/** One click lets a member pass for every account. */
function PassMember({ row: { wire, member, is_harmless: isHarmless } }: { readonly row: MemberSightingRow }) {
  const t = operationMessages.use()
  const client = useQueryClient()
  const isRoot = (useSessionUser()?.role ?? 0) >= role.root
  const pass = useMutation({
    mutationFn: () => passMember(`${wire} ${member}`),
    meta: { isFailureShown: true },
    onSuccess: () => client.invalidateQueries({ queryKey: QUERY_KEY }),
  })
  if (isHarmless) return <span className="muted">{t('members.harmless')}</span>
  if (!isRoot) return null
  return (
    <Button size="small" loading={pass.isPending} onClick={() => pass.mutate()}>
      {t('members.pass')}
    </Button>
  )
}

/** The stored list decides, so that another operator's entry is not lost. */
async function passMember(entry: string): Promise<void> {
  const stored = (await api.call(optionRoutes.list)).find(({ key }) => key === HARMLESS)
  const entries: unknown = JSON.parse(
    stored?.value === undefined || stored.value === '' ? '[]' : stored.value,
  )
  const list = Array.isArray(entries) ? entries.filter((each) => typeof each === 'string') : []
  const value = JSON.stringify([...new Set([...list, entry])])
  await api.call(optionRoutes.update, { body: { key: HARMLESS, value, version: stored?.version ?? 0 } })
}
