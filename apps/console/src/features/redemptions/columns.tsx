import { type Redemption, UNLIMITED_USES } from '@tollgate/contract/redemption'
import { Popover } from 'antd'
import { useMemo, useState } from 'react'
import { CopyableText } from '../../shared/copy/copy-button.tsx'
import { groupedInteger } from '../../shared/format/money.ts'
import { Label, Status } from '../../shared/status/status.tsx'
import { amountColumn } from '../../shared/table/amount-column.tsx'
import type { Column } from '../../shared/table/column.ts'
import { codePreview } from './code-preview.ts'
import { codeState, codeTones } from './code-state.ts'
import { redemptionMessages } from './i18n.ts'
import styles from './redemptions.module.css'
import { NoValue } from '../../shared/format/no-value.tsx'
import { momentColumn } from '../../shared/table/moment-column.tsx'

const SECOND_MS = 1000

/** The columns of the list; a phone shows name, quota, state, kind and uses. */
export function useRedemptionColumns(): readonly Column<Redemption>[] {
  const t = redemptionMessages.use()
  return useMemo(() => redemptionColumns(t), [t])
}

function redemptionColumns(t: ReturnType<typeof redemptionMessages.use>): readonly Column<Redemption>[] {
  const none = <NoValue />
  return [
    { key: 'id', title: t('word.id'), isNumber: true, widthPx: 72, render: (code) => code.id },
    { key: 'name', title: t('word.name'), isFixed: true, phone: 'title', render: (code) => code.name },
    { key: 'status', title: t('word.status'), phone: 'detail', render: (code) => <CodeStatus code={code} /> },
    { key: 'key', title: t('column.key'), render: (code) => <HiddenKey code={code} /> },
    amountColumn({ key: 'quota', title: t('word.quota'), phone: 'value', amount: (code) => code.quota }),
    {
      key: 'type',
      title: t('word.kind'),
      phone: 'detail',
      render: (code) => <Label text={code.is_gift ? t('gift') : t('ordinary')} />,
    },
    {
      key: 'uses',
      title: t('word.uses'),
      isNumber: true,
      phone: 'detail',
      render: (code) => (code.is_gift ? <Uses code={code} /> : none),
    },
    {
      key: 'redeemer',
      title: t('column.redeemer'),
      render: (code) =>
        code.used_user_id === 0 ? (
          <span className="muted">{t('nobody')}</span>
        ) : (
          `${code.used_username} #${code.used_user_id}`
        ),
    },
    momentColumn({
      key: 'from',
      title: t('column.from'),
      isHiddenAtFirst: true,
      seconds: (code) => code.valid_from,
    }),
    momentColumn({ key: 'until', title: t('column.until'), seconds: (code) => code.valid_until }),
    momentColumn({
      key: 'redeemed',
      title: t('column.redeemed'),
      isHiddenAtFirst: true,
      seconds: (code) => code.redeemed_time,
    }),
    momentColumn({ key: 'created', title: t('word.created'), seconds: (code) => code.created_time }),
  ]
}

function CodeStatus({ code }: { readonly code: Redemption }) {
  const t = redemptionMessages.use()
  const [nowMs] = useState(() => Date.now())
  const state = codeState(code, nowMs / SECOND_MS)
  return <Status tone={codeTones[state]} label={t(`state.${state}`)} />
}

function Uses({ code }: { readonly code: Redemption }) {
  const t = redemptionMessages.use()
  const max = code.max_uses === UNLIMITED_USES ? t('unlimited') : groupedInteger(code.max_uses)
  return (
    <span>
      {groupedInteger(code.used_count)} / {max}
    </span>
  )
}

/**
 * A code is worth money, so the full code is shown only on request, not to everybody who can see the screen.
 */
function HiddenKey({ code }: { readonly code: Redemption }) {
  const t = redemptionMessages.use()
  return (
    <Popover trigger="click" content={<CopyableText text={code.key} />}>
      <button type="button" className={`code ${styles.key}`} title={t('showCode')}>
        {codePreview(code.key)}
      </button>
    </Popover>
  )
}
