import { Link } from '@tanstack/react-router'
import type { AuditRow } from '@tollgate/contract/audit'
import { isOptionKey, optionDefinition } from '@tollgate/contract/options/index'
import type { ReactNode } from 'react'
import { useLanguage } from '../../shared/i18n/language.ts'
import { paths } from '../../shared/routing/paths.ts'
import type { Column } from '../../shared/table/column.ts'
import { momentColumn } from '../../shared/table/moment-column.tsx'
import { ChangeSummary } from './changes.tsx'
import { auditMessages } from './i18n.ts'
import { actionWord, entityWord } from './words.ts'

/**
 * The columns of the audit log: user, action, target, address. A phone shows the action, the time and the
 * user.
 */
export function useAuditColumns(): readonly Column<AuditRow>[] {
  const t = auditMessages.use()
  return [
    momentColumn({ key: 'time', title: t('word.time'), phone: 'value', seconds: (row) => row.created_at }),
    { key: 'actor', title: t('column.actor'), phone: 'detail', render: (row) => <Actor row={row} /> },
    {
      key: 'deed',
      title: t('column.deed'),
      isFixed: true,
      phone: 'title',
      render: (row) => t('deed', { action: actionWord(t, row.action), entity: entityWord(t, row.entity) }),
    },
    { key: 'object', title: t('column.object'), phone: 'detail', render: (row) => <TargetName row={row} /> },
    { key: 'change', title: t('word.change'), render: (row) => <ChangeSummary row={row} /> },
    {
      key: 'address',
      title: t('word.address'),
      render: (row) => <span className="code muted">{row.address === '' ? '–' : row.address}</span>,
    },
  ]
}

function Actor({ row }: { readonly row: AuditRow }) {
  const t = auditMessages.use()
  if (row.actor_id === 0) return <span className="muted">{t('nobody')}</span>
  return (
    <Link
      to={`${paths.users}?user=${row.actor_id}`}
      onClick={(event) => event.stopPropagation()}
      title={`#${row.actor_id}`}
    >
      {row.actor_name === '' ? `#${row.actor_id}` : row.actor_name}
    </Link>
  )
}

/** Shows a setting by its label, and links to the target if it has a page of its own. */
function TargetName({ row: { entity, entity_id: id } }: { readonly row: AuditRow }): ReactNode {
  const language = useLanguage()
  if (entity === 'option' && isOptionKey(id))
    return (
      <span>
        {optionDefinition(id).label[language]} <span className="code muted">{id}</span>
      </span>
    )
  const address = placeOf(entity, id)
  if (address === undefined) return <span className="code">{id}</span>
  return (
    <Link className="code" to={address} onClick={(event) => event.stopPropagation()}>
      {id}
    </Link>
  )
}

function placeOf(entity: string, id: string): string | undefined {
  if (!/^\d+$/.test(id)) return undefined
  if (entity === 'user' || entity === 'identity') return `${paths.users}?user=${id}`
  return entity === 'channel' ? `${paths.channels}?keyword=${id}` : undefined
}
