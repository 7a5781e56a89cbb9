import { NEVER_EXPIRES, type Token } from '@tollgate/contract/token'
import { Tooltip } from 'antd'
import { useMemo } from 'react'
import { briefTime, dateTime } from '../../shared/format/time.ts'
import { useMoney } from '../../shared/format/use-money.ts'
import { Label, Status, type Tone } from '../../shared/status/status.tsx'
import type { Column } from '../../shared/table/column.ts'
import { TOKEN_STATUS } from './api.ts'
import { splitList } from './form-value.ts'
import { tokenMessages } from './i18n.ts'

/** The columns of the list; on a phone name and status, remaining quota, group and limits. */
export function useTokenColumns(): readonly Column<Token>[] {
  const t = tokenMessages.use()
  const money = useMoney()
  return useMemo(
    () => [
      { key: 'name', title: t('column.name'), isFixed: true, phone: 'title', render: (token) => token.name },
      {
        key: 'status',
        title: t('column.status'),
        phone: 'detail',
        render: (token) => <TokenStatus status={token.status} />,
      },
      {
        key: 'key',
        title: t('column.key'),
        render: (token) => <span className="code muted">{`sk-${token.key}`}</span>,
      },
      {
        key: 'remaining',
        title: t('column.remaining'),
        isNumber: true,
        phone: 'value',
        render: (token) => (token.unlimited_quota ? t('unlimited') : money.exact(token.remain_quota)),
      },
      {
        key: 'used',
        title: t('column.used'),
        isNumber: true,
        render: (token) => money.exact(token.used_quota),
      },
      {
        key: 'group',
        title: t('column.group'),
        phone: 'detail',
        render: (token) => (token.group === '' ? t('ownGroup') : <Label text={token.group} />),
      },
      {
        key: 'limits',
        title: t('column.limits'),
        phone: 'detail',
        render: (token) => <Limits token={token} />,
      },
      {
        key: 'expires',
        title: t('column.expires'),
        render: (token) =>
          token.expired_time === NEVER_EXPIRES ? t('never') : <Moment seconds={token.expired_time} />,
      },
      {
        key: 'accessed',
        title: t('column.accessed'),
        render: (token) =>
          token.accessed_time <= token.created_time ? (
            <span className="muted">{t('neverUsed')}</span>
          ) : (
            <Moment seconds={token.accessed_time} />
          ),
      },
      {
        key: 'created',
        title: t('column.created'),
        isHiddenAtFirst: true,
        render: (token) => <Moment seconds={token.created_time} />,
      },
    ],
    [t, money],
  )
}

function TokenStatus({ status }: { readonly status: number }) {
  const t = tokenMessages.use()
  const { tone, label } = statuses[status] ?? { tone: 'idle', label: 'status.disabled' }
  return <Status tone={tone} label={t(label)} />
}

const statuses: Readonly<
  Record<
    number,
    { tone: Tone; label: 'status.enabled' | 'status.disabled' | 'status.expired' | 'status.exhausted' }
  >
> = {
  [TOKEN_STATUS.enabled]: { tone: 'ok', label: 'status.enabled' },
  [TOKEN_STATUS.disabled]: { tone: 'idle', label: 'status.disabled' },
  [TOKEN_STATUS.expired]: { tone: 'look', label: 'status.expired' },
  [TOKEN_STATUS.exhausted]: { tone: 'act', label: 'status.exhausted' },
}

/** How many models and addresses a token is limited to; the names behind a tooltip. */
function Limits({ token }: { readonly token: Token }) {
  const t = tokenMessages.use()
  const models = token.model_limits_enabled ? splitList(token.model_limits) : []
  const addresses = token.allow_ips.split('\n').filter((line) => line.trim() !== '')
  if (models.length === 0 && addresses.length === 0) return <span className="muted">–</span>
  return (
    <Tooltip title={[...models, ...addresses].join(', ')}>
      <span>
        {[
          models.length > 0 && t('limits.models', { count: models.length }),
          addresses.length > 0 && t('limits.addresses', { count: addresses.length }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </Tooltip>
  )
}

function Moment({ seconds }: { readonly seconds: number }) {
  return <span title={dateTime(seconds)}>{briefTime(seconds)}</span>
}
